package table

import (
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/shard"
)

// receiptsOff is stored in rooms without receipts.
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
	Stamp(metadata, RoomKind)
	metadata[attrName], metadata[attrTopic] = Text(room.Name), Text(room.Topic)
	metadata[attrMaker] = Text(string(room.CreatedBy))
	metadata[attrMadeAt] = Number(room.CreatedAt.UnixMilli())
	metadata[attrRevision] = Number(int64(room.Revision))
	metadata[attrShards] = Number(int64(room.Shards))
	metadata[attrKey] = &types.AttributeValueMemberB{Value: room.DigestKey}
	if room.Metadata != "" {
		metadata[attrMetadata] = Text(room.Metadata)
	}
	if room.NoReceipts {
		metadata[attrReceipts] = Text(receiptsOff)
	}
	if room.Silent {
		metadata[attrSilent] = Bool(true)
	}
	if room.Archived {
		metadata[attrArchived] = Bool(true)
	}
	if room.Service != "" {
		metadata[attrService] = Text(string(room.Service))
	}
	if room.Channel != "" {
		metadata[attrChannel] = Text(room.Channel)
	}
	if !room.Private {
		metadata[IndexPK], metadata[IndexSK] = Text(directory), Text(directoryKey(room))
		metadata[attrPlace] = Text(strings.Join(room.Place, "#"))
	}
	if room.Direct != nil {
		metadata[attrDirect] = Set(room.Direct)
	}
	shards = Key(pk, skShards)
	Stamp(shards, ShardsKind)
	shards[attrEpochs] = epochList(epochs)
	shards[attrShardsPinned] = Bool(room.ShardsPinned)
	return metadata, PermissionsItem(room), shards
}

// PermissionsKey returns the primary key of the item that decides who may post in a room.
func PermissionsKey(room chat.RoomID) Item { return Key(RoomPK(room), skPermissions) }

// IsArchived reports whether a room is archived, by its permissions, or by its metadata for lists.
// A nil item is of no archived room.
func IsArchived(item Item) bool { return item[attrArchived] != nil }

// PermissionsItem returns the item that decides who may post in a room.
func PermissionsItem(room chat.Room) Item {
	item := PermissionsKey(room.ID)
	Stamp(item, PermissionsKind)
	item[attrPosting] = Text(room.Posting.String())
	if room.RoomMentions != policy.GrantModerators {
		item[attrRoomMentions] = Text(room.RoomMentions.String())
	}
	item[attrPinning] = Text(room.Pinning.String())
	item[attrSlow] = Number(int64(room.SlowMode / time.Second))
	if room.Archived {
		item[attrArchived] = Bool(true)
	}
	return item
}

// directoryKey returns the index key of a public room: its place, from the country down, and its
// id.
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

// DeletedChannelsPK is the index partition of the tombstones of rooms that an import made.
const DeletedChannelsPK = "channels"

// ChannelUpdate sets the channel of a room that has none.
func ChannelUpdate(channel string) Update {
	return Update{
		Expression: "SET #channel = :channel",
		Condition:  "attribute_exists(PK) AND attribute_not_exists(#deleted) AND attribute_not_exists(#channel)",
		Names:      map[string]string{"#channel": attrChannel, "#deleted": attrDeleted},
		Values:     Item{":channel": Text(channel)},
	}
}

// MetadataSK is the sort key of a room's metadata.
const MetadataSK = skMetadata

// MetadataKey returns the primary key of a room's metadata.
func MetadataKey(room chat.RoomID) Item { return Key(RoomPK(room), skMetadata) }

// RoomRange returns the range of sort keys of a room's own items. No other item of RoomPK may be
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
	room.ShardsPinned = pinned(shards)
	return room, epochs, nil
}

// ParseMetadata reads a room's metadata, as in the directory. Private follows from the id. The
// permissions are in another item. Archived is a copy, for lists, of what they contain. A deleted
// room has only its id and revision.
func ParseMetadata(item Item) (chat.Room, error) {
	if item[attrDeleted] != nil {
		d, err := ParseRoomTombstone(item)
		return d.Room, err
	}
	r := Reader{Item: item}
	r.Expect(RoomKind)
	id, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), RoomPK("")))
	r.Keep(err)
	room := chat.Room{
		ID: id, Name: r.Text(attrName), Topic: r.Text(attrTopic),
		CreatedBy: chat.UserID(r.Text(attrMaker)),
		CreatedAt: time.UnixMilli(r.Number(attrMadeAt)).UTC(),
		Revision:  int(r.OptionalNumber(attrRevision)),
		Shards:    int(r.OptionalNumber(attrShards)),
		DigestKey: r.Bytes(attrKey), Private: id.Private(), Direct: r.OptionalUsers(attrDirect),
	}
	room.Service, room.Channel = chat.UserID(r.OptionalText(attrService)), r.OptionalText(attrChannel)
	room.Metadata, room.NoReceipts = r.OptionalText(attrMetadata), r.OptionalText(attrReceipts) == receiptsOff
	room.Silent = item[attrSilent] != nil
	room.Archived = IsArchived(item)
	if place := r.OptionalText(attrPlace); place != "" {
		room.Place = strings.Split(place, "#")
	}
	if r.Err != nil {
		return chat.Room{}, fmt.Errorf("room item: %w", r.Err)
	}
	return room, nil
}

// parsePermissions reads who may post in a room.
func parsePermissions(room *chat.Room, item Item) error {
	r := Reader{Item: item}
	r.Expect(PermissionsKind)
	room.Archived = IsArchived(item)
	room.SlowMode = time.Duration(r.OptionalNumber(attrSlow)) * time.Second
	room.Pinning, _ = policy.ParseGrant(r.OptionalText(attrPinning)) // an unknown value leaves it to moderators
	if posting := r.OptionalText(attrPosting); posting != "" {
		p, ok := policy.ParsePosting(posting)
		if !ok {
			p = policy.Moderators // an unknown value must not open the room
		}
		room.Posting = p
	}
	room.RoomMentions, _ = policy.ParseGrant(r.OptionalText(attrRoomMentions)) // an unknown value grants nothing
	if r.Err != nil {
		return fmt.Errorf("permissions item: %w", r.Err)
	}
	return nil
}

// ServiceAttributes returns the attributes that ServiceUpdate names.
func ServiceAttributes() []string { return []string{attrDeleted, attrService, attrRevision} }

// ServiceUpdate changes the service that owns a room, if it is still before, and the room's
// revision. An empty service stands for none. If both are the same it changes nothing, so that a
// transaction only succeeds while the service owns the room.
func ServiceUpdate(before, after chat.UserID) Update {
	u := Update{
		Condition: "attribute_exists(PK) AND attribute_not_exists(#deleted) AND attribute_not_exists(#service)",
		Names:     map[string]string{"#deleted": attrDeleted, "#service": attrService}, Values: Item{},
	}
	if before != "" {
		u.Condition = "attribute_exists(PK) AND attribute_not_exists(#deleted) AND #service = :before"
		u.Values[":before"] = Text(string(before))
	}
	if before == after {
		u.Expression = "SET #service = :before"
		return u
	}
	u.Expression = "SET #rev = if_not_exists(#rev, :none) + :one"
	u.Names["#rev"], u.Values[":none"], u.Values[":one"] = attrRevision, Number(0), Number(1)
	if after == "" {
		u.Expression += " REMOVE #service"
		return u
	}
	u.Expression += ", #service = :after"
	u.Values[":after"] = Text(string(after))
	return u
}

// Update is an update expression with its condition, names and values.
type Update struct {
	Expression string
	Condition  string
	Names      map[string]string
	Values     Item
}

// Stamped is Stamp for an update that may create its item. It adds to Names and Values.
func (u Update) Stamped(kind Kind) Update {
	const stamp = "SET #type = :type, #v = :v"
	if rest, more := strings.CutPrefix(u.Expression, "SET "); more {
		u.Expression = stamp + ", " + rest
	} else {
		u.Expression = strings.TrimSpace(stamp + " " + u.Expression)
	}
	u.Names["#type"], u.Names["#v"] = attrType, attrVersion
	u.Values[":type"], u.Values[":v"] = Text(kind), Number(schemaVersion)
	return u
}

// MetadataUpdate replaces the mutable attributes of a room's metadata, if it still has before's
// revision.
func MetadataUpdate(before, after chat.Room) Update {
	u := Update{
		Expression: "SET #name = :name, #topic = :topic, #rev = :next",
		Condition: "attribute_exists(PK) AND attribute_not_exists(#deleted) AND (#rev = :rev OR " +
			"attribute_not_exists(#rev) AND :rev = :none)",
		Names: map[string]string{
			"#name": attrName, "#topic": attrTopic, "#rev": attrRevision, "#deleted": attrDeleted,
		},
		Values: Item{
			":name": Text(after.Name), ":topic": Text(after.Topic), ":none": Number(0),
			":rev": Number(int64(before.Revision)), ":next": Number(int64(before.Revision) + 1),
		},
	}
	if !after.Private {
		u.Expression += ", #place = :place, #sort = :sort"
		u.Names["#place"], u.Names["#sort"] = attrPlace, IndexSK
		u.Values[":place"], u.Values[":sort"] = Text(strings.Join(after.Place, "#")), Text(directoryKey(after))
	}
	u.setOrRemove([]optional{
		{"meta", attrMetadata, OptionalText(before.Metadata), OptionalText(after.Metadata)},
		{"receipts", attrReceipts, OptionalText(receipts(before)), OptionalText(receipts(after))},
		{"silent", attrSilent, OptionalTrue(before.Silent), OptionalTrue(after.Silent)},
		{"archived", attrArchived, OptionalTrue(before.Archived), OptionalTrue(after.Archived)},
	})
	return u
}
