package settings

import "example.com/parley/infra/config"

// prod keeps its data even when the stack is removed. Settings that matter to security, or depend
// on the account, are stated here, even with their defaults.
func prod() config.Settings {
	return config.Settings{
		Issuer:       "own",
		SignUp:       "admin",
		RoomCreators: []string{"everyone"},
		Origins:      []string{"none"},
		AlarmEmail:   "none",
		FeedReserved: config.Unreserved,
	}
}
