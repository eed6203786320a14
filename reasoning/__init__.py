"""Rules: parse, check, stratify, plan, evaluate, prove, maintain.

A pure function of (program, facts). What a user of the folder wants is imported from the module that has it:

    parse.parse_program, parse.parse_query     text to tree
    compiled.compile                           checked and stratified
    evaluate.evaluate                          facts in, result out
    ask.ask                                    a question to a result
    prove.why, prove.why_not                   proofs
    maintain.update                            facts added and withdrawn
    packs.pack                                 the rule packs that are shipped
"""
