package settings

import "example.com/parley/infra/config"

// dev is for trying things out. It removes everything together with the stack, and needs no
// settings.
func dev() config.Settings {
	return config.Settings{}
}
