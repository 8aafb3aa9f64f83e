package config

import "slices"

// Setting describes one field of Settings to the operator of a deployment.
type Setting struct {
	// Name is the name of the field.
	Name string
	// Summary describes the effect of the setting.
	Summary string
	// Stated describes the values of a setting that must be stated in prod. It is empty for a
	// setting that may be left out.
	Stated string
	// OwnPool reports whether the setting is about the user pool that the stack creates.
	OwnPool bool
	// Price is the cost of the setting, and its saving.
	Price string
	// Change describes when to change the default.
	Change string
	// Example is a line of the Go file.
	Example string
}

// Catalog describes every setting, in the order of the fields.
func Catalog() []Setting {
	return slices.Concat(
		whoTheyAre(), whatTokensSay(), whatTheyMay(), whereTheyComeFrom(), whoIsTold(), whatExists(), howMuch(),
		howLarge(), howLong(),
	)
}
