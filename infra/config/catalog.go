package config

import "slices"

// Setting describes one field of Settings to the operator of a deployment.
type Setting struct {
	// Name is the field.
	Name string
	// Summary says what the setting decides.
	Summary string
	// Stated says what to state in prod, where the setting must be stated there. It is empty for
	// a setting that may be left out.
	Stated string
	// OwnPool reports whether the setting is of the user pool that the stack makes.
	OwnPool bool
	// Price is what the setting costs, and what it saves.
	Price string
	// Change says when to change the default.
	Change string
	// Example is a line of the Go file.
	Example string
}

// Catalog describes every setting, in the order of the fields.
func Catalog() []Setting {
	return slices.Concat(whoTheyAre(), whatTheyMay(), whereData(), howMuch(), howLong())
}
