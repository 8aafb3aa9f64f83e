package nightly

// One reports whether case i of many runs: one in each, or every one at night. Number neighboring
// cases differently, so that the selection covers every kind.
func One(i, each int) bool { return Enabled() || i%each == 0 }
