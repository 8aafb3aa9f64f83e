package settings

import "parley/infra/config"

// dev is for trying things out. It keeps nothing when the stack goes, and every default will do.
func dev() config.Settings {
	return config.Settings{}
}
