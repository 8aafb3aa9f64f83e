package settings

import "parley/infra/config"

// prod keeps its data whatever happens to the stack. What matters to security is stated here,
// also where it is the default.
func prod() config.Settings {
	return config.Settings{
		Issuer:       "own",
		SignUp:       "admin",
		RoomCreators: []string{"everyone"},
		Origins:      []string{"none"},
		AlarmEmail:   "none",
	}
}
