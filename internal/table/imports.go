package table

import (
	"crypto/sha256"
	"encoding/hex"

	"example.com/parley/internal/chat"
)

// importedPrefix begins the sort keys of the lists of people whom imports made members of a room.
// There are 16 lists, by the first digit of the hash of the user, so that each stays below
// DynamoDB's limit of 400 KB in a room of 400,000 people.
const importedPrefix = "imported#"

// reactedPrefix begins the sort keys of the sets of reactions that imports have put.
const reactedPrefix = "reacted#"

// The primary key of the key of imports.
const (
	importPK    = "import"
	skImportKey = "key"
)

// ImportedMembers returns the partition and the sort keys of the lists of people whom imports
// made members of a room.
func ImportedMembers(room chat.RoomID) (partition string, keys Range) {
	return RoomItemsPK(room), PrefixRange(importedPrefix)
}

// ImportedKey returns the primary key of the list to which a user belongs.
func ImportedKey(of chat.MemberOf) Item {
	sum := sha256.Sum256([]byte(of.User))
	return Key(RoomItemsPK(of.Room), importedPrefix+hex.EncodeToString(sum[:1])[:1])
}

// ReactedKey returns the primary key of the set of reactions that imports have put to messages of
// a room in a month, such as 2018-08.
func ReactedKey(room chat.RoomID, month string) Item {
	return Key(RoomItemsPK(room), reactedPrefix+month)
}

// ImportKeyKey returns the primary key of the key of imports.
func ImportKeyKey() Item { return Key(importPK, skImportKey) }
