package document

// MaxDocumentID bounds the ids of documents and of their parts, as those of rooms.
const MaxDocumentID = 64
