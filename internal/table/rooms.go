package table

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/policy"
	"parley/internal/shard"
)

// privateVersion is the schema version of a private room's metadata. It is two above the version of
// code that did not know private rooms. Such code may still run, or run again after a roll-back,
// and must refuse these rooms instead of showing them to everyone.
const privateVersion = 3

// deletedVersion is the schema version of the tombstone of a deleted room. It is two above that of
// private rooms, so that code which does not know deletion refuses the room.
const deletedVersion = 5

// private is the visibility of private rooms. Public rooms have another, and rooms from before
// private rooms have none.
const private = "private"

// receiptsOff is stored in rooms without receipts. It is an attribute of the metadata, which older
// versions leave when they change other settings.
const receiptsOff = "off"

// receipts returns the attribute of a room's receipts; empty if they are on.
func receipts(room chat.Room) string {
	if room.NoReceipts {
		return receiptsOff
	}
	return ""
}

// RoomItems returns the items of a room: its metadata, its permissions and the epochs of its
// shards.
func RoomItems(room chat.Room, epochs shard.Epochs) (metadata, permissions, shards Item) {
	pk := RoomPK(room.ID)
	metadata = Key(pk, skMetadata)
	metadata[attrType], metadata[attrVersion] = str(RoomKind), number(schemaVersion)
	metadata[attrName], metadata[attrTopic] = str(room.Name), str(room.Topic)
	metadata[attrMaker] = str(string(room.CreatedBy))
	metadata[attrMadeAt] = number(room.CreatedAt.UnixMilli())
	metadata[attrRevision] = number(int64(room.Revision))
	metadata[attrShards] = number(int64(room.Shards))
	metadata[attrKey] = &types.AttributeValueMemberB{Value: room.DigestKey}
	if room.Metadata != "" {
		metadata[attrMetadata] = str(room.Metadata)
	}
	if room.NoReceipts {
		metadata[attrReceipts] = str(receiptsOff)
	}
	if !room.Private {
		metadata[IndexPK], metadata[IndexSK] = str(directory), str(directoryKey(room))
		metadata[attrPlace] = str(strings.Join(room.Place, "#"))
	}
	if room.Private {
		metadata[attrVersion] = number(privateVersion)
	}
	if room.Direct != nil {
		metadata[attrDirect] = userSet(room.Direct)
	}
	shards = Key(pk, skShards)
	shards[attrType], shards[attrVersion] = str(ShardsKind), number(schemaVersion)
	shards[attrEpochs] = epochList(epochs)
	shards[attrShardsPinned] = &types.AttributeValueMemberBOOL{Value: room.ShardsPinned}
	return metadata, PermissionsItem(room), shards
}

// PermissionsItem returns the item that decides who may see a room and post in it.
func PermissionsItem(room chat.Room) Item {
	item := Key(RoomPK(room.ID), skPermissions)
	item[attrType], item[attrVersion] = str(PermissionsKind), number(schemaVersion)
	item[attrPosting] = str(room.Posting.String())
	if room.RoomMentions != policy.GrantModerators {
		item[attrRoomMentions] = str(room.RoomMentions.String())
	}
	item[attrPinning] = str(room.Pinning.String())
	item[attrSlow] = number(int64(room.SlowMode / time.Second))
	item[attrVisibility] = str("public")
	if room.Private {
		item[attrVisibility] = str(private)
	}
	if room.Archived {
		item[attrArchived] = &types.AttributeValueMemberBOOL{Value: true}
	}
	return item
}

// directoryKey returns the index key of a public room: its place from the country down, and its id.
func directoryKey(room chat.Room) string { return PlacePrefix(room.Place) + string(room.ID) }

// DirectoryPK is the index partition of all public rooms.
const DirectoryPK = directory

// PlacePrefix returns the prefix of the directory keys of all rooms at a place and below it.
func PlacePrefix(place []string) string {
	if len(place) == 0 {
		return ""
	}
	return strings.Join(place, "#") + "#"
}

// MetadataSK is the sort key of a room's metadata.
const MetadataSK = skMetadata

// MetadataKey returns the primary key of a room's metadata.
func MetadataKey(room chat.RoomID) Item { return Key(RoomPK(room), skMetadata) }

// RoomRange returns the range of sort keys of a room's own items. No other item of RoomPK may lie
// in it, because each read of the room would pay for it. New items of a room go under another
// partition key, such as p#seattle.
func RoomRange() Range { return Range{Low: skMetadata, High: skShards} }

// ShardsKey returns the primary key of a room's epochs.
func ShardsKey(room chat.RoomID) Item { return Key(RoomPK(room), skShards) }

// ParseRoom reads a room from the items of RoomRange in its partition, in any order. It ignores
// items of unknown types. A deleted room has no epochs.
func ParseRoom(id chat.RoomID, items []Item) (chat.Room, shard.Epochs, error) {
	var metadata, permissions, shards Item
	for _, item := range items {
		switch sk, _ := item[SK].(*types.AttributeValueMemberS); {
		case sk == nil:
		case sk.Value == skMetadata:
			metadata = item
		case sk.Value == skPermissions:
			permissions = item
		case sk.Value == skShards:
			shards = item
		}
	}
	room, err := ParseMetadata(metadata)
	if err != nil {
		return chat.Room{}, nil, err
	}
	if room.Deleted {
		return room, nil, nil
	}
	if room.ID != id {
		return chat.Room{}, nil, fmt.Errorf("room item: it is of room %s, not %s", room.ID, id)
	}
	if err := parsePermissions(&room, permissions); err != nil {
		return chat.Room{}, nil, err
	}
	epochs, err := ParseShards(shards)
	if err != nil {
		return chat.Room{}, nil, err
	}
	room.Shards = epochs.Last().N
	room.ShardsPinned = pinned(shards, epochs)
	return room, epochs, nil
}

// ParseMetadata reads a room's metadata, as in the directory. Private follows from the schema
// version. The permissions are another item. A deleted room has only its id and its revision.
func ParseMetadata(item Item) (chat.Room, error) {
	r := reader{item: item}
	v := r.optionalNumber(attrVersion)
	if v == deletedVersion || v == deletedVersion+1 {
		d, err := ParseRoomTombstone(item)
		return d.Room, err
	}
	isPrivate := v == privateVersion || v == privateVersion+1
	if isPrivate {
		item = maps.Clone(item)
		item[attrVersion] = number(schemaVersion)
		r.item = item
	}
	r.expect(RoomKind)
	id, err := chat.ParseRoomID(strings.TrimPrefix(r.str(PK), RoomPK("")))
	r.keep(err)
	room := chat.Room{
		ID: id, Name: r.str(attrName), Topic: r.str(attrTopic),
		CreatedBy: chat.UserID(r.str(attrMaker)),
		CreatedAt: time.UnixMilli(r.number(attrMadeAt)).UTC(),
		Revision:  int(r.optionalNumber(attrRevision)),
		Shards:    int(r.optionalNumber(attrShards)),
		DigestKey: r.bytes(attrKey), Private: isPrivate, Direct: r.optionalUsers(attrDirect),
	}
	room.Metadata, room.NoReceipts = r.optionalStr(attrMetadata), r.optionalStr(attrReceipts) == receiptsOff
	if place := r.optionalStr(attrPlace); place != "" {
		room.Place = strings.Split(place, "#")
	}
	if r.err != nil {
		return chat.Room{}, fmt.Errorf("room item: %w", r.err)
	}
	return room, nil
}

// parsePermissions reads who may see a room and post in it. Rooms from before there were
// permissions are public and open.
func parsePermissions(room *chat.Room, item Item) error {
	r := reader{item: item}
	r.expect(PermissionsKind)
	room.Private = r.optionalStr(attrVisibility) == private
	room.Archived = item[attrArchived] != nil
	room.SlowMode = time.Duration(r.optionalNumber(attrSlow)) * time.Second
	room.Pinning, _ = policy.ParseGrant(r.optionalStr(attrPinning)) // an unknown value leaves it to moderators
	if posting := r.optionalStr(attrPosting); posting != "" {
		p, ok := policy.ParsePosting(posting)
		if !ok {
			p = policy.Moderators // an unknown value must not open the room
		}
		room.Posting = p
	}
	room.RoomMentions, _ = policy.ParseGrant(r.optionalStr(attrRoomMentions)) // an unknown value grants nothing
	if r.err != nil {
		return fmt.Errorf("permissions item: %w", r.err)
	}
	return nil
}

// Update is an update expression with its condition, names and values.
type Update struct {
	Expression string
	Condition  string
	Names      map[string]string
	Values     Item
}

// MetadataUpdate replaces the attributes of a room's metadata that may change, if it still has
// before's revision.
func MetadataUpdate(before, after chat.Room) Update {
	u := Update{
		Expression: "SET #name = :name, #topic = :topic, #rev = :next",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#deleted) AND (#rev = :rev OR attribute_not_exists(#rev) AND :rev = :none)",
		Names:      map[string]string{"#name": attrName, "#topic": attrTopic, "#rev": attrRevision, "#deleted": attrDeleted},
		Values: Item{
			":name": str(after.Name), ":topic": str(after.Topic), ":none": number(0),
			":rev": number(int64(before.Revision)), ":next": number(int64(before.Revision) + 1),
		},
	}
	if !after.Private {
		u.Expression += ", #place = :place, #sort = :sort"
		u.Names["#place"], u.Names["#sort"] = attrPlace, IndexSK
		u.Values[":place"], u.Values[":sort"] = str(strings.Join(after.Place, "#")), str(directoryKey(after))
	}
	u.setOrRemove([]optional{
		{"meta", attrMetadata, optionalText(before.Metadata), optionalText(after.Metadata)},
		{"receipts", attrReceipts, optionalText(receipts(before)), optionalText(receipts(after))},
	})
	return u
}
