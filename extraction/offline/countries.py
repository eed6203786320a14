"""Countries and what their people and things are called: closed classes of English, as months are."""

_TABLE = """
Afghanistan: Afghan | Albania: Albanian | Algeria: Algerian | Angola: Angolan | Argentina: Argentine Argentinian
Armenia: Armenian | Australia: Australian | Austria: Austrian | Azerbaijan: Azerbaijani | Bahrain: Bahraini
Bangladesh: Bangladeshi | Barbados: Barbadian | Belarus: Belarusian | Belgium: Belgian | Belize: Belizean
Benin: Beninese | Bhutan: Bhutanese | Bolivia: Bolivian | Bosnia and Herzegovina: Bosnian | Botswana: Botswanan
Brazil: Brazilian | Brunei: Bruneian | Bulgaria: Bulgarian | Burkina Faso: Burkinabé | Burundi: Burundian
Cambodia: Cambodian | Cameroon: Cameroonian | Canada: Canadian | Chad: Chadian | Chile: Chilean | China: Chinese
Colombia: Colombian | Costa Rica: Costa-Rican | Croatia: Croatian | Cuba: Cuban | Cyprus: Cypriot
Czech Republic: Czech | Denmark: Danish Dane Danes | Ecuador: Ecuadorian | Egypt: Egyptian | El Salvador: Salvadoran
England: English Englishman | Eritrea: Eritrean | Estonia: Estonian | Ethiopia: Ethiopian | Fiji: Fijian
Finland: Finnish Finn Finns | France: French Frenchman | Gabon: Gabonese | Gambia: Gambian | Georgia: Georgian
Germany: German | Ghana: Ghanaian | Greece: Greek | Guatemala: Guatemalan | Guinea: Guinean | Guyana: Guyanese
Haiti: Haitian | Honduras: Honduran | Hungary: Hungarian | Iceland: Icelandic Icelander | India: Indian
Indonesia: Indonesian | Iran: Iranian Persian | Iraq: Iraqi | Ireland: Irish | Israel: Israeli | Italy: Italian
Jamaica: Jamaican | Japan: Japanese | Jordan: Jordanian | Kazakhstan: Kazakh Kazakhstani | Kenya: Kenyan
Kuwait: Kuwaiti | Kyrgyzstan: Kyrgyz | Laos: Laotian Lao | Latvia: Latvian | Lebanon: Lebanese | Liberia: Liberian
Libya: Libyan | Lithuania: Lithuanian | Luxembourg: Luxembourgish | Madagascar: Malagasy | Malawi: Malawian
Malaysia: Malaysian | Mali: Malian | Malta: Maltese | Mauritania: Mauritanian | Mauritius: Mauritian
Mexico: Mexican | Moldova: Moldovan | Mongolia: Mongolian | Montenegro: Montenegrin | Morocco: Moroccan
Mozambique: Mozambican | Myanmar: Burmese | Namibia: Namibian | Nepal: Nepalese Nepali | Netherlands: Dutch
New Zealand: New-Zealander | Nicaragua: Nicaraguan | Niger: Nigerien | Nigeria: Nigerian | North Korea: North-Korean
North Macedonia: Macedonian | Norway: Norwegian | Oman: Omani | Pakistan: Pakistani | Palestine: Palestinian
Panama: Panamanian | Papua New Guinea: Papuan | Paraguay: Paraguayan | Peru: Peruvian | Philippines: Filipino Philippine
Poland: Polish Pole Poles | Portugal: Portuguese | Qatar: Qatari | Romania: Romanian | Russia: Russian
Rwanda: Rwandan | Samoa: Samoan | Saudi Arabia: Saudi | Scotland: Scottish Scots Scot | Senegal: Senegalese
Serbia: Serbian Serb | Sierra Leone: Sierra-Leonean | Singapore: Singaporean | Slovakia: Slovak | Slovenia: Slovenian
Somalia: Somali | South Africa: South-African | South Korea: South-Korean Korean | Soviet Union: Soviet
Spain: Spanish Spaniard
Sri Lanka: Sri-Lankan | Sudan: Sudanese | Suriname: Surinamese | Sweden: Swedish Swede Swedes | Switzerland: Swiss
Syria: Syrian | Taiwan: Taiwanese | Tajikistan: Tajik | Tanzania: Tanzanian | Thailand: Thai | Togo: Togolese
Tunisia: Tunisian | Turkey: Turkish Turk Turks | Turkmenistan: Turkmen | Uganda: Ugandan | Ukraine: Ukrainian
United Arab Emirates: Emirati | United Kingdom: British Briton | United States: American | Uruguay: Uruguayan
Uzbekistan: Uzbek | Venezuela: Venezuelan | Vietnam: Vietnamese | Wales: Welsh | Yemen: Yemeni | Zambia: Zambian
Zimbabwe: Zimbabwean | Yugoslavia: Yugoslav | Czechoslovakia: Czechoslovak
"""
SHORT_FORMS = {
    "us": "united states",
    "u.s.": "united states",
    "usa": "united states",
    "u.s.a.": "united states",
    "united states of america": "united states",
    "america": "united states",
    "uk": "united kingdom",
    "u.k.": "united kingdom",
    "great britain": "united kingdom",
    "britain": "united kingdom",
    "holland": "netherlands",
    "ussr": "soviet union",
    "people's republic of china": "china",
    "republic of ireland": "ireland",
    "czechia": "czech republic",
    "burma": "myanmar",
}


def _read() -> tuple[dict[str, str], dict[str, str]]:
    countries: dict[str, str] = {}
    people: dict[str, str] = {}
    for row in _TABLE.replace("\n", "|").split("|"):
        if ":" in row:
            country, _, words = row.strip().partition(":")
            countries[country.casefold()] = country
            people.update((word.replace("-", " ").casefold(), country) for word in words.split())
    return countries, people


COUNTRIES, PEOPLE = _read()


def country_of(name: str) -> str | None:
    """The country that a name or an adjective means; None when it is neither.

    >>> country_of("Swedish"), country_of("the U.S."), country_of("Paris"), country_of("Swedes")
    ('Sweden', 'United States', None, 'Sweden')
    """
    key = name.casefold().removeprefix("the ").strip()
    key = SHORT_FORMS.get(key, key)
    return COUNTRIES.get(key) or PEOPLE.get(key) or PEOPLE.get(key.removesuffix("s"))


def is_country(name: str) -> bool:
    """Whether it is the name of a country, not of its people."""
    key = name.casefold().removeprefix("the ").strip()
    return SHORT_FORMS.get(key, key) in COUNTRIES
