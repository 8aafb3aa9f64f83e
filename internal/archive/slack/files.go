package slack

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/chat"
)

// file is a file of a message. The export contains only its addresses.
type file struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Alt         string   `json:"alt_txt"`
	Mimetype    string   `json:"mimetype"`
	Size        int64    `json:"size"`
	Mode        string   `json:"mode"`
	External    bool     `json:"is_external"`
	Orientation int      `json:"image_exif_rotation"`
	Permalink   string   `json:"permalink"`
	Private     string   `json:"url_private"`
	Initial     struct { // of the person who shared it, in older exports
		Comment string `json:"comment"`
	} `json:"initial_comment"`
}

// hosted is the mode of a file whose bytes Slack stores unchanged. The sizes of others, such as
// snippets, differ from a download's.
const hosted = "hosted"

// The folders into which tools put the files of an export within it.
const (
	uploadsFolder     = "__uploads"   // of Slackdump and slack-advanced-exporter
	avatarsFolder     = "__avatars"   // of Slackdump
	attachmentsFolder = "attachments" // of Slackdump, in the folder of a channel
)

// downloads are the files of an export whose bytes a tool has downloaded. Its zero value has none.
type downloads struct {
	fsys  fs.FS
	found map[string]download // by the id of the file
	close func() error
}

// download is the bytes of a file.
type download struct {
	path string
	size int64
}

// openDownloads lists the files in a folder or a zip file. A file belongs to the id that is the
// name of its folder, or that begins its own name, as in F0123/plan.png and F0123-plan.png.
func openDownloads(name string) (downloads, error) {
	if name == "" {
		return downloads{close: func() error { return nil }}, nil
	}
	fsys, closer, err := openTree(name)
	if err != nil {
		return downloads{}, fmt.Errorf("open files: %w", err)
	}
	b := downloads{fsys: fsys, found: map[string]download{}, close: closer}
	err = fs.WalkDir(fsys, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		begin, _, _ := strings.Cut(path.Base(at), "-")
		for _, id := range []string{path.Base(path.Dir(at)), begin} {
			if _, taken := b.found[id]; !taken && isFileID(id) {
				b.found[id] = download{at, info.Size()}
			}
		}
		return nil
	})
	if err != nil {
		return downloads{}, errors.Join(fmt.Errorf("list the files in %s: %w", name, err), closer())
	}
	return b, nil
}

// isFileID reports whether s may be the id of a file: an F with digits and capital letters.
func isFileID(s string) bool {
	rest, ok := strings.CutPrefix(s, "F")
	return ok && rest != "" && strings.Trim(rest, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// attached returns the files whose bytes are there, within the limit of a message, and the rest.
// leftOut counts the files that are there and cannot be taken.
func (b downloads) attached(all []file, leftOut map[archive.Reason]int) (attached []archive.File, rest []file) {
	for _, f := range all {
		found, ok := b.found[f.ID]
		switch {
		case !ok || f.External:
			rest = append(rest, f)
		case found.size == 0 || f.Mode == hosted && f.Size > 0 && found.size != f.Size:
			leftOut[OtherSize]++
			rest = append(rest, f)
		case len(attached) == chat.MaxAttachments:
			leftOut[ManyAttached]++
			rest = append(rest, f)
		default:
			attached = append(attached, archive.File{
				Key: f.ID, File: f.transfer(func() (io.ReadCloser, error) { return b.fsys.Open(found.path) }),
			})
		}
	}
	return attached, rest
}

// transfer returns f with its bytes. A title that is not the name describes it.
func (f file) transfer(open func() (io.ReadCloser, error)) transfer.File {
	name, alt := cmp.Or(f.Name, f.Title), f.Alt
	if alt == "" && f.Title != name {
		alt = f.Title
	}
	return transfer.File{Name: name, Type: f.Mimetype, Alt: alt, Orientation: f.Orientation, Open: open}
}
