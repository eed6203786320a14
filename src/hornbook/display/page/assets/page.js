// What a page of its own begins with.
const hornbookPicture = hornbookGraph(document.getElementById("hb-picture"), JSON.parse(document.getElementById("hb-data").textContent));
