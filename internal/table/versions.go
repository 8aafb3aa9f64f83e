package table

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/document"
)

// MessageRevision turns a message into after if it still has before's revision. Its keys do not
// change, so that the order of pages stays.
func MessageRevision(before, after chat.Message) Update {
	u := Update{
		Expression: "SET #rev = :next, #edited = :edited, #kept = :kept, #text = :text",
		Condition:  "attribute_exists(PK) AND (#rev = :rev OR attribute_not_exists(#rev) AND :rev = :first)",
		Names:      map[string]string{"#rev": attrRevision, "#kept": attrKept, "#text": attrText},
		Values: Item{
			":rev": number(int64(before.Revision)), ":next": number(int64(after.Revision)), ":first": number(1),
		},
	}
	if after.Deleted() {
		u.Expression = "SET #rev = :next, #deleted = :deleted, #by = :by REMOVE #text, #kept, #meta"
		u.Names["#meta"] = attrMetadata
		u.Names["#deleted"], u.Names["#by"] = attrDeleted, attrDeletedBy
		u.Values[":deleted"], u.Values[":by"] = number(after.DeletedAt.UnixMilli()), str(string(after.DeletedBy))
		return u
	}
	u.Names["#edited"] = attrEdited
	u.Values[":edited"], u.Values[":kept"] = number(after.EditedAt.UnixMilli()), number(int64(after.VersionBytes))
	u.Values[":text"] = str(after.Text)
	u.setOrRemove([]optional{
		{"via", attrVia, string(before.Via), string(after.Via)}, {"meta", attrMetadata, before.Metadata, after.Metadata},
	})
	return u
}

// optional is a text attribute that is absent for an empty value, before and after an update.
type optional struct{ name, attr, before, after string }

// setOrRemove adds attributes to an update that so far only sets.
func (u *Update) setOrRemove(all []optional) {
	remove := " REMOVE "
	for _, o := range all {
		switch {
		case o.after != "":
			u.Expression += ", #" + o.name + " = :" + o.name
			u.Values[":"+o.name] = str(o.after)
		case o.before == "":
			continue
		}
		u.Names["#"+o.name] = o.attr
	}
	for _, o := range all {
		if o.after == "" && o.before != "" {
			u.Expression += remove + "#" + o.name
			remove = ", "
		}
	}
}

// versionPart takes the place of the part in the keys of document versions: a message has one text.
const versionPart document.PartID = "message"

// MessageVersionsPK returns the partition key of a message's versions.
func MessageVersionsPK(room chat.RoomID, id chat.MessageID) string {
	return "m#" + string(room) + "#" + id.String()
}

// parseMessageVersionsPK decodes the result of MessageVersionsPK.
func parseMessageVersionsPK(pk string) (chat.RoomID, chat.MessageID, error) {
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
func MessageVersionKey(v chat.MessageVersion) Item {
	return Key(MessageVersionsPK(v.Room, v.ID), PartSK(v.Number, versionPart))
}

// MessageVersionItems writes a version of a message twice: under its number, where it stays, and as
// the newest copy.
func MessageVersionItems(v chat.MessageVersion) (version, newest Item) {
	version, newest = MessageVersionKey(v), MessageVersionKey(chat.MessageVersion{Room: v.Room, ID: v.ID})
	for _, item := range []Item{version, newest} {
		item[attrType], item[attrVersion] = str(typeVersion), number(schemaVersion)
		item[attrNumber], item[attrText] = number(int64(v.Number)), str(v.Text)
		item[attrBy], item[attrSavedAt] = str(string(v.By)), number(v.At.UnixMilli())
		if v.Metadata != "" {
			item[attrMetadata] = str(v.Metadata)
		}
		if v.Via != "" {
			item[attrVia] = str(string(v.Via))
		}
	}
	return version, newest
}

// MessageVersionErasure removes the text and the metadata of a version.
func MessageVersionErasure() Update {
	return Update{
		Expression: "REMOVE #text, #meta",
		Condition:  "attribute_exists(PK)",
		Names:      map[string]string{"#text": attrText, "#meta": attrMetadata},
	}
}

// ParseMessageVersion reads either item that MessageVersionItems wrote, also after its text was
// removed.
func ParseMessageVersion(item Item) (chat.MessageVersion, error) {
	r := reader{item: item}
	r.expect(typeVersion)
	room, id, err := parseMessageVersionsPK(r.str(PK))
	r.keep(err)
	keyed, part, err := ParsePartSK(r.str(SK))
	r.keep(err)
	v := chat.MessageVersion{
		Room: room, ID: id, Number: int(r.number(attrNumber)), Text: r.optionalStr(attrText),
		By: chat.UserID(r.str(attrBy)), At: time.UnixMilli(r.number(attrSavedAt)).UTC(),
		Via: chat.UserID(r.optionalStr(attrVia)),
	}
	if v.Text != "" { // erased otherwise, perhaps by a version that did not know metadata
		v.Metadata = r.optionalStr(attrMetadata)
	}
	if r.err == nil && (part != versionPart || v.Number < 1 || keyed != 0 && keyed != v.Number) {
		r.err = fmt.Errorf("version %d stands under %s", v.Number, r.str(SK))
	}
	if r.err != nil {
		return chat.MessageVersion{}, fmt.Errorf("message version item: %w", r.err)
	}
	return v, nil
}
