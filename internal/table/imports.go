package table

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// attrMarks is the set of hashes of reactions.
const attrMarks = "marks"

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

// ImportedUpdate adds users to a list.
func ImportedUpdate(users []chat.UserID) Update {
	return Update{
		Expression: "ADD #users :users",
		Names:      map[string]string{"#users": attrUsers},
		Values:     Item{":users": Set(users)},
	}.Stamped(ImportedKind)
}

// ParseImported reads the users of a list.
func ParseImported(item Item) ([]chat.UserID, error) {
	r := Reader{Item: item}
	r.Expect(ImportedKind)
	_, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomItemsPK("")))
	r.Keep(err)
	users := r.optionalUsers(attrUsers)
	return users, r.Err
}

// ReactedKey returns the primary key of the set of reactions that imports have put to messages of
// a room in a month, such as 2018-08.
func ReactedKey(room chat.RoomID, month string) Item {
	return Key(RoomItemsPK(room), reactedPrefix+month)
}

// ReactedUpdate adds marks to a set.
func ReactedUpdate(marks [][]byte) Update {
	return Update{
		Expression: "ADD #marks :marks",
		Names:      map[string]string{"#marks": attrMarks},
		Values:     Item{":marks": &types.AttributeValueMemberBS{Value: marks}},
	}.Stamped(ReactedKind)
}

// ParseReacted reads the marks of a set.
func ParseReacted(item Item) ([][]byte, error) {
	r := Reader{Item: item}
	r.Expect(ReactedKind)
	_, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomItemsPK("")))
	r.Keep(err)
	set, ok := item[attrMarks].(*types.AttributeValueMemberBS)
	if !ok {
		r.Keep(errors.New("the marks are no set"))
		return nil, r.Err
	}
	return set.Value, r.Err
}

// ImportKeyItem returns the item with the key from which imports derive the ids of private rooms.
func ImportKeyItem(key []byte) Item {
	item := Key(importPK, skImportKey)
	Stamp(item, ImportKeyKind)
	item[attrKey] = &types.AttributeValueMemberB{Value: slices.Clone(key)}
	return item
}

// ParseImportKey reads an item that ImportKeyItem wrote.
func ParseImportKey(item Item) ([]byte, error) {
	r := Reader{Item: item}
	r.Expect(ImportKeyKind)
	key := r.bytes(attrKey)
	return key, r.Err
}
