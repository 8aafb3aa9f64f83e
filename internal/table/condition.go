package table

// Absent returns the condition that no item with item's key exists, in either table.
func Absent(item Item) Update {
	if item[PK] != nil {
		return Update{Condition: "attribute_not_exists(PK)"}
	}
	return Update{Condition: "attribute_not_exists(#device)", Names: map[string]string{"#device": LogPK}}
}
