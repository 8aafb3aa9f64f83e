package document

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// permissionsSK is the sort key of a document's permissions.
const permissionsSK = "permissions"

// The attributes of documents and of their parts.
const (
	attrTitle   = "title"
	attrMaker   = "maker"
	attrMadeAt  = "madeAt"
	attrRead    = "read"
	attrWrite   = "write"
	attrNumber  = "version"
	attrText    = "text"
	attrBy      = "by"
	attrSavedAt = "savedAt"
)

// RoomPK returns the index partition of a room's documents.
func RoomPK(room chat.RoomID) string { return "d#" + string(room) }

// PK returns the partition key of a document.
func PK(room chat.RoomID, doc ID) string {
	return RoomPK(room) + "#" + string(doc)
}

// ParsePK decodes the result of PK.
func ParsePK(pk string) (chat.RoomID, ID, error) {
	f := strings.Split(pk, "#")
	if len(f) != 3 || f[0] != "d" {
		return "", "", fmt.Errorf("document key %q", pk)
	}
	room, err := chat.ParseRoomID(f[1])
	if err != nil {
		return "", "", fmt.Errorf("document key %q: %w", pk, err)
	}
	doc, err := ParseID(f[2])
	if err != nil {
		return "", "", fmt.Errorf("document key %q: %w", pk, err)
	}
	return room, doc, nil
}

// MetadataKey returns the primary key of a document's metadata.
func MetadataKey(room chat.RoomID, doc ID) table.Item {
	return table.Key(PK(room, doc), table.MetadataSK)
}

// PermissionsKey returns the primary key of a document's permissions.
func PermissionsKey(room chat.RoomID, doc ID) table.Item {
	return table.Key(PK(room, doc), permissionsSK)
}

// Items returns the items of a document: its metadata and its permissions.
func Items(d Document) (metadata, permissions table.Item) {
	metadata = MetadataKey(d.Room, d.ID)
	metadata[table.IndexPK], metadata[table.IndexSK] = table.Text(RoomPK(d.Room)), table.Text(string(d.ID))
	table.Stamp(metadata, table.DocumentKind)
	metadata[attrTitle], metadata[attrMaker] = table.Text(d.Title), table.Text(string(d.CreatedBy))
	metadata[attrMadeAt] = table.Number(d.CreatedAt.UnixMilli())

	permissions = PermissionsKey(d.Room, d.ID)
	table.Stamp(permissions, table.DocumentPermissionsKind)
	permissions[attrRead], permissions[attrWrite] = table.Text(d.Allowed.Read.String()),
		table.Text(d.Allowed.Write.String())
	return metadata, permissions
}

// parse reads a document from its metadata and its permissions.
func parse(metadata, permissions table.Item) (Document, error) {
	d, err := ParseMetadata(metadata)
	if err != nil {
		return Document{}, err
	}
	r := table.Reader{Item: permissions}
	r.Expect(table.DocumentPermissionsKind)
	d.Allowed.Read = audience(r.OptionalText(attrRead))
	d.Allowed.Write = audience(r.OptionalText(attrWrite))
	if r.Err != nil {
		return Document{}, fmt.Errorf("document permissions item: %w", r.Err)
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

// ParseMetadata reads a document from only its metadata, as in the list of a room's documents.
func ParseMetadata(item table.Item) (Document, error) {
	r := table.Reader{Item: item}
	r.Expect(table.DocumentKind)
	room, doc, err := ParsePK(r.Text(table.PK))
	r.Keep(err)
	d := Document{
		Room: room, ID: doc, Title: r.Text(attrTitle), CreatedBy: chat.UserID(r.Text(attrMaker)),
		CreatedAt: time.UnixMilli(r.Number(attrMadeAt)).UTC(),
	}
	if r.Err != nil {
		return Document{}, fmt.Errorf("document item: %w", r.Err)
	}
	return d, nil
}

// updates returns the updates of a document's title and permissions, which apply if both are still
// as in before.
func updates(before, after Document) (metadata, permissions table.Update) {
	metadata = table.Update{
		Expression: "SET #title = :title",
		Condition:  "#title = :before",
		Names:      map[string]string{"#title": attrTitle},
		Values:     table.Item{":title": table.Text(after.Title), ":before": table.Text(before.Title)},
	}
	permissions = table.Update{
		Expression: "SET #read = :read, #write = :write",
		Condition:  "#read = :wasRead AND #write = :wasWrite",
		Names:      map[string]string{"#read": attrRead, "#write": attrWrite},
		Values: table.Item{
			":read": table.Text(after.Allowed.Read.String()), ":write": table.Text(after.Allowed.Write.String()),
			":wasRead":  table.Text(before.Allowed.Read.String()),
			":wasWrite": table.Text(before.Allowed.Write.String()),
		},
	}
	return metadata, permissions
}

// partSK returns the sort key of a version of a part. Version 0 is the copy of the newest version.
func partSK(version int, part PartID) string { return table.VersionSK(version, string(part)) }

// parsePartSK decodes the result of partSK.
func parsePartSK(sk string) (version int, part PartID, err error) {
	version, of, err := table.ParseVersionSK(sk)
	if err != nil {
		return 0, "", err
	}
	part, err = ParsePartID(of)
	return version, part, err
}

// partKey returns the primary key of the part version that p names, or of the newest copy if p
// names no version.
func partKey(p Part) table.Item {
	return table.Key(PK(p.Room, p.Document), partSK(p.Version, p.ID))
}

// PartItems returns a version of a part twice: under its number, which never changes, and as the
// newest copy. A transaction cannot write the same item twice, so no version has the number 0.
func PartItems(p Part) (version, newest table.Item) {
	version, newest = partKey(p), partKey(Part{Room: p.Room, Document: p.Document, ID: p.ID})
	for _, item := range []table.Item{version, newest} {
		table.Stamp(item, table.PartKind)
		item[attrNumber], item[attrText] = table.Number(int64(p.Version)), table.Text(p.Text)
		item[attrBy], item[attrSavedAt] = table.Text(string(p.SavedBy)), table.Number(p.SavedAt.UnixMilli())
	}
	return version, newest
}

// newestIs returns the condition that the newest copy of a part is still the version before p. If
// p is the first version, there must be no copy.
func newestIs(p Part) table.Update {
	if p.Version == 1 {
		return table.Update{Condition: "attribute_not_exists(PK)"}
	}
	return table.Update{
		Condition: "#number = :before",
		Names:     map[string]string{"#number": attrNumber},
		Values:    table.Item{":before": table.Number(int64(p.Version - 1))},
	}
}

// ParsePart reads either item that PartItems wrote.
func ParsePart(item table.Item) (Part, error) {
	r := table.Reader{Item: item}
	r.Expect(table.PartKind)
	room, doc, err := ParsePK(r.Text(table.PK))
	r.Keep(err)
	keyed, part, err := parsePartSK(r.Text(table.SK))
	r.Keep(err)
	p := Part{
		Room: room, Document: doc, ID: part, Version: int(r.Number(attrNumber)), Text: r.Text(attrText),
		SavedBy: chat.UserID(r.Text(attrBy)), SavedAt: time.UnixMilli(r.Number(attrSavedAt)).UTC(),
	}
	if r.Err == nil && (p.Version < 1 || keyed != 0 && keyed != p.Version) {
		r.Err = fmt.Errorf("version %d stands under %s", p.Version, r.Text(table.SK))
	}
	if r.Err != nil {
		return Part{}, fmt.Errorf("document part item: %w", r.Err)
	}
	return p, nil
}
