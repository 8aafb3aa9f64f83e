package table

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
)

// MessageRevision turns a message into after if it still has before's revision. Its keys do not
// change, so pages keep their order. Only an import reveals a deleted message, for which it held
// the place.
func MessageRevision(before, after chat.Message) Update {
	u := Update{
		Expression: "SET #rev = :next, #kept = :kept, #text = :text",
		Condition:  "attribute_exists(PK) AND (#rev = :rev OR attribute_not_exists(#rev) AND :rev = :first)",
		Names:      map[string]string{"#rev": attrRevision, "#kept": attrKept, "#text": attrText},
		Values: Item{
			":rev": Number(int64(before.Revision)), ":next": Number(int64(after.Revision)), ":first": Number(1),
		},
	}
	if after.Deleted() {
		u.Expression = "SET #rev = :next, #deleted = :deleted, #by = :by REMOVE #text, #kept, #meta, #quote, #poll, " +
			"#mentions, #mentionRoom"
		u.Names["#quote"], u.Names["#poll"] = attrQuote, attrPoll
		u.Names["#meta"], u.Names["#mentions"], u.Names["#mentionRoom"] = attrMetadata, attrMentions, attrMentionRoom
		u.Names["#deleted"], u.Names["#by"] = attrDeleted, attrDeletedBy
		u.Values[":deleted"], u.Values[":by"] = Number(after.DeletedAt.UnixMilli()), Text(string(after.DeletedBy))
		if after.System != nil { // without its people
			u.Expression = strings.Replace(u.Expression, " REMOVE ", ", #system = :system REMOVE ", 1)
			u.Names["#system"], u.Values[":system"] = attrSystem, systemText(after.System)
		}
		if len(after.Attachments) > 0 { // with their ids, by which the bytes are removed
			u.Expression = strings.Replace(u.Expression, " REMOVE ", ", #files = :files REMOVE ", 1)
			u.Names["#files"], u.Values[":files"] = attrAttachments, attachmentsText(after.Attachments)
		}
		return u
	}
	u.Values[":kept"] = Number(int64(after.VersionBytes))
	u.Values[":text"] = Text(after.Text)
	u.setOrRemove([]optional{
		{"edited", attrEdited, OptionalTime(before.EditedAt), OptionalTime(after.EditedAt)},
		{"deleted", attrDeleted, OptionalTime(before.DeletedAt), nil},
		{"by", attrDeletedBy, OptionalText(before.DeletedBy), nil},
		{"imported", attrImported, OptionalNumber(before.Imported), OptionalNumber(after.Imported)},
		{"via", AttrVia, OptionalText(before.Via), OptionalText(after.Via)},
		{"meta", attrMetadata, OptionalText(before.Metadata), OptionalText(after.Metadata)},
		{"files", attrAttachments, optionalAttachments(before.Attachments), optionalAttachments(after.Attachments)},
		{"mentions", attrMentions, optionalSet(before.Mentions.Users), optionalSet(after.Mentions.Users)},
		{"mentionRoom", attrMentionRoom, OptionalTrue(before.Mentions.Room), OptionalTrue(after.Mentions.Room)},
	})
	return u
}

// optional is an attribute that is absent for an empty value, before and after an update. It is nil
// when it is absent.
type optional struct {
	name, attr    string
	before, after types.AttributeValue
}

// OptionalText returns the attribute of a text, or nil for the empty text.
func OptionalText[T ~string](text T) types.AttributeValue {
	if text == "" {
		return nil
	}
	return Text(string(text))
}

// OptionalTime returns the attribute of a time in Unix milliseconds, or nil for the zero time.
func OptionalTime(at time.Time) types.AttributeValue {
	if at.IsZero() {
		return nil
	}
	return Number(at.UnixMilli())
}

// OptionalNumber returns the attribute of a number, or nil for 0.
func OptionalNumber(n int) types.AttributeValue {
	if n == 0 {
		return nil
	}
	return Number(int64(n))
}

func optionalAttachments(all []chat.Attachment) types.AttributeValue {
	if len(all) == 0 {
		return nil
	}
	return attachmentsText(all)
}

func optionalSet(users []chat.UserID) types.AttributeValue {
	if len(users) == 0 {
		return nil
	}
	return Set(users)
}

// OptionalTrue returns the attribute true, or nil for false.
func OptionalTrue(is bool) types.AttributeValue {
	if !is {
		return nil
	}
	return Bool(true)
}

// SetOrRemove adds attributes to an update that so far only sets, whatever they were: it sets them,
// or removes those that are nil.
func (u *Update) SetOrRemove(values Item) {
	var all []optional
	for _, attr := range slices.Sorted(maps.Keys(values)) {
		all = append(all, optional{attr, attr, Number(0), values[attr]})
	}
	u.setOrRemove(all)
}

// setOrRemove adds attributes to an update that so far only sets.
func (u *Update) setOrRemove(all []optional) {
	remove := " REMOVE "
	for _, o := range all {
		switch {
		case o.after != nil:
			u.Expression += ", #" + o.name + " = :" + o.name
			u.Values[":"+o.name] = o.after
		case o.before == nil:
			continue
		}
		u.Names["#"+o.name] = o.attr
	}
	for _, o := range all {
		if o.after == nil && o.before != nil {
			u.Expression += remove + "#" + o.name
			remove = ", "
		}
	}
}

// NewestPrefix is the prefix of the sort keys of the newest copies.
const NewestPrefix = "v0_"

// VersionSK returns the sort key of a version of a thing. Version 0 is the copy of the newest.
// Versions do not sort by number (v10_ is before v2_), so they are read by exact keys.
func VersionSK(version int, of string) string {
	return "v" + strconv.Itoa(version) + "_" + of
}

// ParseVersionSK decodes the result of VersionSK.
func ParseVersionSK(sk string) (version int, of string, err error) {
	n, of, ok := strings.Cut(sk, "_")
	if !ok || !strings.HasPrefix(n, "v") {
		return 0, "", fmt.Errorf("%w: version key %q", errKey, sk)
	}
	version, err = strconv.Atoi(n[1:])
	if err != nil || version < 0 || version > chat.MaxVersion || VersionSK(version, of) != sk {
		return 0, "", fmt.Errorf("%w: version key %q has no version", errKey, sk)
	}
	return version, of, nil
}

// versionOf is what the keys of a message's versions are of: a message has one text.
const versionOf = "message"

// MessageVersionsPK returns the partition key of a message's versions.
func MessageVersionsPK(room chat.RoomID, id chat.MessageID) string {
	return MessageRowsPK(string(room) + "#" + id.String())
}

// MessageRowsPK returns the partition key of a message's rows, given the fields after its prefix.
func MessageRowsPK(fields string) string { return "m#" + fields }

// ParseMessageVersionsPK decodes the result of MessageVersionsPK.
func ParseMessageVersionsPK(pk string) (chat.RoomID, chat.MessageID, error) {
	f := strings.Split(pk, "#")
	if len(f) != 3 || f[0] != "m" {
		return "", chat.MessageID{}, fmt.Errorf("%w: message versions key %q", errKey, pk)
	}
	room, err := chat.ParseRoomID(f[1])
	if err != nil {
		return "", chat.MessageID{}, fmt.Errorf("%w: message versions key %q: %w", errKey, pk, err)
	}
	id, err := chat.ParseMessageID(f[2])
	if err != nil || MessageVersionsPK(room, id) != pk {
		return "", chat.MessageID{}, fmt.Errorf("%w: message versions key %q", errKey, pk)
	}
	return room, id, nil
}

// MessageVersionKey returns the primary key of the version that v names; number 0 is the copy of
// the newest.
func MessageVersionKey(v chat.Version) Item {
	return Key(MessageVersionsPK(v.Room, v.ID), VersionSK(v.Number, versionOf))
}

// PartsRange returns the range of the sort keys of all versions in a partition.
func PartsRange() Range { return PrefixRange("v") }

// MessageVersionItems writes a version of a message twice: permanently under its number, and as
// the newest copy.
func MessageVersionItems(v chat.Version) (numbered, newest Item) {
	numbered, newest = MessageVersionKey(v), MessageVersionKey(chat.Version{Room: v.Room, ID: v.ID})
	for _, item := range []Item{numbered, newest} {
		Stamp(item, VersionKind)
		item[attrNumber], item[attrText] = Number(int64(v.Number)), Text(v.Text)
		item[attrBy], item[attrSavedAt] = Text(string(v.By)), Number(v.At.UnixMilli())
		if v.Metadata != "" {
			item[attrMetadata] = Text(v.Metadata)
		}
		if v.Via != "" {
			item[AttrVia] = Text(string(v.Via))
		}
	}
	return numbered, newest
}

// MessageVersionErasure removes the text and the metadata of a version.
func MessageVersionErasure() Update {
	return Update{
		Expression: "REMOVE #text, #meta",
		Condition:  "attribute_exists(PK)",
		Names:      map[string]string{"#text": attrText, "#meta": attrMetadata},
	}
}

// ParseMessageVersion reads either item that MessageVersionItems wrote, even after its text was
// removed.
func ParseMessageVersion(item Item) (chat.Version, error) {
	r := Reader{Item: item}
	r.Expect(VersionKind)
	room, id, err := ParseMessageVersionsPK(r.Text(PK))
	r.Keep(err)
	keyed, of, err := ParseVersionSK(r.Text(SK))
	r.Keep(err)
	v := chat.Version{
		Room: room, ID: id, Number: int(r.Number(attrNumber)), Text: r.OptionalText(attrText),
		By: chat.UserID(r.Text(attrBy)), At: time.UnixMilli(r.Number(attrSavedAt)).UTC(),
		Via: chat.UserID(r.OptionalText(AttrVia)),
	}
	if item[attrText] != nil { // otherwise erased, perhaps by a version without metadata
		v.Metadata = r.OptionalText(attrMetadata)
	}
	if r.Err == nil && (of != versionOf || v.Number < 1 || keyed != 0 && keyed != v.Number) {
		r.Err = fmt.Errorf("version %d stands under %s", v.Number, r.Text(SK))
	}
	if r.Err != nil {
		return chat.Version{}, fmt.Errorf("message version item: %w", r.Err)
	}
	return v, nil
}
