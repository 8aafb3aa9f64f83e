package demo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/chat"
)

// File is a file of a message. Its bytes are drawn, or in the folder week/files.
type File struct {
	Name string
	Alt  string // describes a picture
}

//go:embed week/files
var stored embed.FS

// read returns the bytes of f.
func (f File) read() ([]byte, error) {
	if draw, ok := pictures[f.Name]; ok {
		return draw().png()
	}
	return stored.ReadFile("week/files/" + f.Name)
}

// putFiles stores the files of a message before it is posted, and returns their ids.
func (s *scene) putFiles(ctx context.Context, m Message, id chat.MessageID) (ids []uuid.UUID, err error) {
	for _, f := range m.Files {
		file, err := f.read()
		if err != nil {
			return nil, err
		}
		a, err := s.Files.Put(ctx, s.id, id, transfer.File{
			ID: s.newID("file", f.Name), Name: f.Name, Alt: f.Alt,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil },
		})
		if err != nil {
			return nil, fmt.Errorf("file %s: %w", f.Name, err)
		}
		ids = append(ids, a.ID)
	}
	return ids, nil
}

// newID returns the id of something in the room at the time of the scene, which is equal in each
// demo.
func (s *scene) newID(kind, name string) uuid.UUID {
	sum := sha256.Sum256([]byte(s.room.File + "/" + kind + "/" + name))
	return chat.NewUUID(s.now, [10]byte(sum[:]))
}
