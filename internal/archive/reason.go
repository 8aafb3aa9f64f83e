package archive

// Reason is why a record is not imported, as the report prints it.
type Reason string

// Reasons of every format. The subpackages add those of their own.
const (
	EmptyText Reason = "empty text"
	LongText  Reason = "text too long" // over chat.MaxText
	NotUTF8   Reason = "not UTF-8"
	BadTime   Reason = "bad time"
	BadFile   Reason = "bad file" // the rest of a file cannot be read; counted once
	// Conflict: the room already has a message with this id and a different text.
	Conflict Reason = "conflict"
	// NotStored: the store did not confirm the message before the import gave up or was
	// interrupted. Another import of the same archive stores it if it is missing.
	NotStored Reason = "not stored"
)
