package stream

import "example.com/parley/internal/table"

// TableFilter returns the filter of the feed function's mapping to the table's stream.
func TableFilter() Filter {
	return Filter{
		Attribute: table.AttrType, Present: append(table.StreamTypes(), string(table.RoleKind)),
		Removed: table.StreamRemovedTypes(),
		Bypass:  []string{table.AttrFeed, table.AttrSuspended},
	}
}
