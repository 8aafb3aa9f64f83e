package table

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
)

// DocumentsPK returns the index partition of a room's documents.
func DocumentsPK(room chat.RoomID) string { return "d#" + string(room) }

// DocumentPK returns the partition key of a document.
func DocumentPK(room chat.RoomID, doc document.ID) string {
	return DocumentsPK(room) + "#" + string(doc)
}

// ParseDocumentPK decodes the result of DocumentPK.
func ParseDocumentPK(pk string) (chat.RoomID, document.ID, error) {
	f := strings.Split(pk, "#")
	if len(f) != 3 || f[0] != "d" {
		return "", "", fmt.Errorf("%w: document key %q", errKey, pk)
	}
	room, err := chat.ParseRoomID(f[1])
	if err != nil {
		return "", "", fmt.Errorf("%w: document key %q: %w", errKey, pk, err)
	}
	doc, err := document.ParseID(f[2])
	if err != nil {
		return "", "", fmt.Errorf("%w: document key %q: %w", errKey, pk, err)
	}
	return room, doc, nil
}

// DocumentMetadataKey returns the primary key of a document's metadata.
func DocumentMetadataKey(room chat.RoomID, doc document.ID) Item {
	return Key(DocumentPK(room, doc), skMetadata)
}

// DocumentPermissionsKey returns the primary key of a document's permissions.
func DocumentPermissionsKey(room chat.RoomID, doc document.ID) Item {
	return Key(DocumentPK(room, doc), skPermissions)
}

// DocumentItems returns the items of a document: its metadata and its permissions.
func DocumentItems(d document.Document) (metadata, permissions Item) {
	metadata = DocumentMetadataKey(d.Room, d.ID)
	metadata[IndexPK], metadata[IndexSK] = Text(DocumentsPK(d.Room)), Text(string(d.ID))
	Stamp(metadata, DocumentKind)
	metadata[attrTitle], metadata[attrMaker] = Text(d.Title), Text(string(d.CreatedBy))
	metadata[attrMadeAt] = Number(d.CreatedAt.UnixMilli())

	permissions = DocumentPermissionsKey(d.Room, d.ID)
	Stamp(permissions, DocumentPermissionsKind)
	permissions[attrRead], permissions[attrWrite] = Text(d.Allowed.Read.String()), Text(d.Allowed.Write.String())
	return metadata, permissions
}

// ParseDocument reads a document from its metadata and its permissions.
func ParseDocument(metadata, permissions Item) (document.Document, error) {
	d, err := ParseDocumentMetadata(metadata)
	if err != nil {
		return document.Document{}, err
	}
	r := Reader{Item: permissions}
	r.Expect(DocumentPermissionsKind)
	d.Allowed.Read = audience(r.OptionalText(attrRead))
	d.Allowed.Write = audience(r.OptionalText(attrWrite))
	if r.Err != nil {
		return document.Document{}, fmt.Errorf("document permissions item: %w", r.Err)
	}
	return d, nil
}

// audience parses an audience. An unknown one becomes the narrowest, so it grants nothing.
func audience(s string) policy.Audience {
	if s == "" {
		return policy.AsRoom
	}
	a, ok := policy.ParseAudience(s)
	if !ok {
		return policy.ForOwners
	}
	return a
}

// ParseDocumentMetadata reads a document from only its metadata, as in the list of a room's
// documents.
func ParseDocumentMetadata(item Item) (document.Document, error) {
	r := Reader{Item: item}
	r.Expect(DocumentKind)
	room, doc, err := ParseDocumentPK(r.Text(PK))
	r.Keep(err)
	d := document.Document{
		Room: room, ID: doc, Title: r.Text(attrTitle), CreatedBy: chat.UserID(r.Text(attrMaker)),
		CreatedAt: time.UnixMilli(r.Number(attrMadeAt)).UTC(),
	}
	if r.Err != nil {
		return document.Document{}, fmt.Errorf("document item: %w", r.Err)
	}
	return d, nil
}

// DocumentUpdates returns the updates of a document's title and permissions, which apply if both
// are still as in before.
func DocumentUpdates(before, after document.Document) (metadata, permissions Update) {
	metadata = Update{
		Expression: "SET #title = :title",
		Condition:  "#title = :before",
		Names:      map[string]string{"#title": attrTitle},
		Values:     Item{":title": Text(after.Title), ":before": Text(before.Title)},
	}
	permissions = Update{
		Expression: "SET #read = :read, #write = :write",
		Condition:  "#read = :wasRead AND #write = :wasWrite",
		Names:      map[string]string{"#read": attrRead, "#write": attrWrite},
		Values: Item{
			":read": Text(after.Allowed.Read.String()), ":write": Text(after.Allowed.Write.String()),
			":wasRead": Text(before.Allowed.Read.String()), ":wasWrite": Text(before.Allowed.Write.String()),
		},
	}
	return metadata, permissions
}

// NewestPrefix is the prefix of the sort keys of the newest copies of a document's parts.
const NewestPrefix = "v0_"

// PartSK returns the sort key of a version of a part. Version 0 is the copy of the newest version.
// Versions do not sort by number (v10_ is before v2_), so they are read by exact keys.
func PartSK(version int, part document.PartID) string {
	return "v" + strconv.Itoa(version) + "_" + string(part)
}

// ParsePartSK decodes the result of PartSK.
func ParsePartSK(sk string) (version int, part document.PartID, err error) {
	n, rest, ok := strings.Cut(sk, "_")
	if !ok || !strings.HasPrefix(n, "v") {
		return 0, "", fmt.Errorf("%w: part key %q", errKey, sk)
	}
	version, err = strconv.Atoi(n[1:])
	if err != nil || version < 0 || version > chat.MaxVersion {
		return 0, "", fmt.Errorf("%w: part key %q has no version", errKey, sk)
	}
	part, err = document.ParsePartID(rest)
	if err != nil || PartSK(version, part) != sk {
		return 0, "", fmt.Errorf("%w: part key %q", errKey, sk)
	}
	return version, part, nil
}

// PartKey returns the primary key of the part version that p names, or of the newest copy if p
// names no version.
func PartKey(p document.Part) Item {
	return Key(DocumentPK(p.Room, p.Document), PartSK(p.Version, p.ID))
}

// PartItems returns a version of a part twice: under its number, which never changes, and as the
// newest copy. A transaction cannot write the same item twice, so no version has the number 0.
func PartItems(p document.Part) (version, newest Item) {
	version, newest = PartKey(p), PartKey(document.Part{Room: p.Room, Document: p.Document, ID: p.ID})
	for _, item := range []Item{version, newest} {
		Stamp(item, PartKind)
		item[attrNumber], item[attrText] = Number(int64(p.Version)), Text(p.Text)
		item[attrBy], item[attrSavedAt] = Text(string(p.SavedBy)), Number(p.SavedAt.UnixMilli())
	}
	return version, newest
}

// NewestIs returns the condition that the newest copy of a part is still the version before p. If
// p is the first version, there must be no copy.
func NewestIs(p document.Part) Update {
	if p.Version == 1 {
		return Update{Condition: "attribute_not_exists(PK)"}
	}
	return Update{
		Condition: "#number = :before",
		Names:     map[string]string{"#number": attrNumber},
		Values:    Item{":before": Number(int64(p.Version - 1))},
	}
}

// ParsePart reads either item that PartItems wrote.
func ParsePart(item Item) (document.Part, error) {
	r := Reader{Item: item}
	r.Expect(PartKind)
	room, doc, err := ParseDocumentPK(r.Text(PK))
	r.Keep(err)
	keyed, part, err := ParsePartSK(r.Text(SK))
	r.Keep(err)
	p := document.Part{
		Room: room, Document: doc, ID: part, Version: int(r.Number(attrNumber)), Text: r.Text(attrText),
		SavedBy: chat.UserID(r.Text(attrBy)), SavedAt: time.UnixMilli(r.Number(attrSavedAt)).UTC(),
	}
	if r.Err == nil && (p.Version < 1 || keyed != 0 && keyed != p.Version) {
		r.Err = fmt.Errorf("version %d stands under %s", p.Version, r.Text(SK))
	}
	if r.Err != nil {
		return document.Part{}, fmt.Errorf("document part item: %w", r.Err)
	}
	return p, nil
}
