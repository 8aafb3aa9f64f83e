package people

const (
	// MaxTitle and MaxState bound a person's title and state, in bytes: they
	// are keys, and a line in a list.
	MaxTitle = 100
	MaxState = 64
	// MaxFormer bounds the former titles that are kept of a person: more than a working
	// life has, and all facts together still fit one transaction of 100 items.
	MaxFormer = 20
	// MinHiredYear is before anyone who can sign in was hired.
	MinHiredYear = 1900
)
