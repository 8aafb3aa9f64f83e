package document

// MaxDocumentID limits the ids of documents and parts to the length of room ids.
const MaxDocumentID = 64
