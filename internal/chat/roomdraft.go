package chat

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/policy"
)

// RoomDraft holds the settings that an owner gives a room. A nil field keeps the current value, or
// the default for a new room.
type RoomDraft struct {
	Name    *string         // default: the id; required for private rooms
	Topic   *string         // default: none
	Shards  *int            // 0, the default, lets it follow the rate of messages
	Place   *[]string       // default: none; not allowed in private rooms
	Posting *policy.Posting // default: everyone
	// RoomMentions defines who may mention everyone in the room; default: moderators.
	RoomMentions *policy.Grant
	// Pinning defines who may pin messages; default: moderators.
	Pinning  *policy.Grant
	SlowMode *time.Duration // default: none
	Archived *bool          // default: false
	Receipts *bool          // default: true
	// SystemMessages reports joins, leaves and settings as messages of the room; default: true.
	SystemMessages *bool
	Metadata       *string       // a JSON object; default: none
	If             *Precondition // for the room that it changes; default: none
}

// whole returns the draft with the default of every setting that it leaves out, for replacing the
// settings of a room. A private room has no default name: without one, it keeps its name. A draft
// without Archived or Shards keeps them, because they are a room's state.
func (d RoomDraft) whole(id RoomID) RoomDraft {
	if d.Name == nil && !id.Private() {
		d.Name = new(string(id))
	}
	d.Topic, d.Metadata = cmp.Or(d.Topic, new("")), cmp.Or(d.Metadata, new(""))
	d.SystemMessages = cmp.Or(d.SystemMessages, new(true))
	d.Place, d.Receipts = cmp.Or(d.Place, new([]string(nil))), cmp.Or(d.Receipts, new(true))
	d.Posting, d.SlowMode = cmp.Or(d.Posting, new(policy.Everyone)), cmp.Or(d.SlowMode, new(time.Duration(0)))
	d.RoomMentions, d.Pinning = cmp.Or(
		d.RoomMentions, new(policy.GrantModerators),
	), cmp.Or(d.Pinning, new(policy.GrantModerators))
	return d
}

func (d RoomDraft) applyTo(room Room) Room {
	if d.Name != nil {
		room.Name = *d.Name
	}
	if d.Topic != nil {
		room.Topic = *d.Topic
	}
	if d.Place != nil {
		room.Place = *d.Place
	}
	if d.Posting != nil {
		room.Posting = *d.Posting
	}
	if d.RoomMentions != nil {
		room.RoomMentions = *d.RoomMentions
	}
	if d.Pinning != nil {
		room.Pinning = *d.Pinning
	}
	if d.SlowMode != nil {
		room.SlowMode = *d.SlowMode
	}
	if d.Archived != nil {
		room.Archived = *d.Archived
	}
	if d.Receipts != nil {
		room.NoReceipts = !*d.Receipts
	}
	if d.SystemMessages != nil {
		room.Silent = !*d.SystemMessages
	}
	if d.Metadata != nil {
		room.Metadata, _ = ParseMetadata(*d.Metadata) // validate has checked it
	}
	return room
}

// changesShards reports whether the draft changes the shards of a room, or who controls them.
func (d RoomDraft) changesShards(room Room) bool {
	if d.Shards == nil {
		return false
	}
	pins := *d.Shards > 0
	return pins != room.ShardsPinned || pins && *d.Shards != room.Shards
}

// changedSettings returns the API names of the settings that differ, in order. Archiving is named
// "archived", and its reversal "unarchived".
func changedSettings(before, after Room) []string {
	changed := map[string]bool{
		"name": before.Name != after.Name, "topic": before.Topic != after.Topic,
		"place":   !slices.Equal(before.Place, after.Place),
		"posting": before.Posting != after.Posting, "pinning": before.Pinning != after.Pinning,
		"receipts":        before.NoReceipts != after.NoReceipts,
		"systemMessages":  before.Silent != after.Silent,
		"roomMentions":    before.RoomMentions != after.RoomMentions,
		"slowModeSeconds": before.SlowMode != after.SlowMode,
		"archived":        after.Archived && !before.Archived, "unarchived": before.Archived && !after.Archived,
		"metadata": before.Metadata != after.Metadata,
	}
	maps.DeleteFunc(changed, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(changed))
}

func (d RoomDraft) validate(private bool) error {
	if d.Name != nil {
		if err := CheckName("name", *d.Name, MaxName); err != nil {
			return err
		}
	}
	if d.Topic != nil {
		if err := CheckLine("topic", *d.Topic, MaxTopic); err != nil {
			return err
		}
	}
	if d.Shards != nil && (*d.Shards < 0 || *d.Shards > MaxShards) {
		return Invalidf("shards", "must be 1 to %d, or 0 to let it follow the rate of messages", MaxShards)
	}
	if d.SlowMode != nil && (*d.SlowMode < 0 || *d.SlowMode > MaxSlowMode) {
		return Invalidf("slowModeSeconds", "must be 0 to %d", int(MaxSlowMode.Seconds()))
	}
	if d.Metadata != nil {
		if _, err := ParseMetadata(*d.Metadata); err != nil {
			return err
		}
	}
	if d.Place == nil {
		return nil
	}
	if private && len(*d.Place) > 0 {
		return Invalidf("place", "must be left out for a private room")
	}
	return CheckPlace(*d.Place)
}

// CheckPlace returns an error unless place is valid: at most MaxPlaceLevels levels, starting with
// the country.
func CheckPlace(place []string) error {
	if len(place) > MaxPlaceLevels {
		return Invalidf("place", "must have at most %d levels", MaxPlaceLevels)
	}
	for _, level := range place {
		if strings.TrimSpace(level) == "" || strings.ContainsAny(level, "#/") {
			return Invalidf("place", "must have levels that are not blank and contain neither # nor /")
		}
		if err := CheckLine("place", level, MaxPlaceLevel); err != nil {
			return err
		}
	}
	return nil
}
