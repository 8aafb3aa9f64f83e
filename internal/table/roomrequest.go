package table

import (
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/privateroom"
)

const requestPrefix = "request#"

// RoomRequestKey returns the primary key of a caller's request for a room.
func RoomRequestKey(caller chat.UserID, id uuid.UUID) Item {
	return Key(PersonPK(caller), requestPrefix+id.String())
}

// RoomRequestItem returns the item of a request that creates a room.
func RoomRequestItem(r privateroom.Request) Item {
	item := RoomRequestKey(r.Caller, r.ID)
	Stamp(item, RoomRequestKind)
	item[AttrRoom], item[attrDigest] = Text(string(r.Room)), &types.AttributeValueMemberB{Value: r.Digest}
	item[TTL] = Number(r.Expires.Unix())
	return item
}

// RoomRequestCondition returns the condition that a request is unknown at a time. DynamoDB removes
// expired requests at any later time.
func RoomRequestCondition(at time.Time) Update {
	return Update{
		Condition: "attribute_not_exists(PK) OR #expires <= :now",
		Names:     map[string]string{"#expires": TTL}, Values: Item{":now": Number(at.Unix())},
	}
}

// ParseRoomRequest reads an item that RoomRequestItem wrote.
func ParseRoomRequest(item Item) (privateroom.Request, error) {
	r := Reader{Item: item}
	r.Expect(RoomRequestKind)
	caller, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	id, err := chat.ParseUUID(strings.TrimPrefix(r.Text(SK), requestPrefix))
	r.Keep(err)
	room, err := chat.ParseRoomID(r.Text(AttrRoom))
	r.Keep(err)
	request := privateroom.Request{
		ID: id, Caller: caller, Room: room, Digest: r.Bytes(attrDigest), Expires: time.Unix(r.Number(TTL), 0).UTC(),
	}
	if r.Err != nil {
		return privateroom.Request{}, fmt.Errorf("request for a room: %w", r.Err)
	}
	return request, nil
}
