package dynamo_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// TestDeleteRoom_LeavesATombstone checks the units of a deletion and the remaining item. It has no
// settings, no index keys, and a version that code from before deletion refuses.
func TestDeleteRoom_LeavesATombstone(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t))
	tabletest.Create(t, client, "chat")
	units := 0.0
	s := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: func(_ context.Context, u dynamo.Usage) { units += u.Units }})
	room := chat.Room{ID: "seattle", Name: "Secret name", Topic: "t", CreatedBy: "maker", CreatedAt: time.Now().UTC(), Shards: 1, DigestKey: []byte("key")}
	owner := chat.OwnerOf(room, "Maker")
	if ok, err := s.CreateRoom(t.Context(), room, owner); !ok || err != nil {
		t.Fatal(ok, err)
	}
	units = 0
	if ok, err := s.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: owner, At: time.Now()}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	t.Logf("%v write units", units)
	if units != deletionUnits {
		t.Errorf("a deletion consumes %v write units, the comment of DeleteRoom says %v", units, deletionUnits)
	}
	item, err := dynamo.NewTable(client, "chat", nil).GetItem(t.Context(), "test", table.MetadataKey("seattle"), dynamo.Strong)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range item {
		names = append(names, name)
	}
	if len(names) != 7 || item[table.IndexPK] != nil || strings.Contains(table.KeyText(item), "Secret") {
		t.Errorf("the tombstone has %v", names)
	}
	d, err := table.ParseRoomTombstone(item)
	if err != nil || d.Room.ID != "seattle" || !d.Room.Deleted || d.By.User != "maker" || d.At.IsZero() {
		t.Errorf("the tombstone is read as %+v, %v", d, err)
	}
}

const deletionUnits = 7
