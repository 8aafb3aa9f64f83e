package chat

import (
	"context"
	"strconv"

	"github.com/google/uuid"
)

// MaxAttachments is the maximum number of files of a message: a screen of pictures.
const MaxAttachments = 20

// Attachment is a file of a message. Its bytes are not in the table; see package attachment.
type Attachment struct {
	ID    uuid.UUID
	Name  string // such as "plan.png"
	Type  string // the media type
	Bytes int64
	// Width and Height are the size of a picture or a video in pixels; 0 if unknown.
	Width, Height int
	Placeholder   []byte // a ThumbHash; empty if there is none
	Alt           string // describes a picture to people who cannot see it
	Preview       bool   // it has a smaller picture
}

// Uploads finds the files that people have uploaded.
type Uploads interface {
	// Attach assigns uploads of the message's sender to it and returns them in order. Assigning
	// them again to the same message changes nothing. The error is Invalid, for "attachments[i]",
	// if one cannot be used, and Conflict if no files are stored.
	Attach(ctx context.Context, room RoomID, to MessageID, uploads []uuid.UUID) ([]Attachment, error)
}

// attached returns m with the attachments that a draft names. On a retry it returns the message
// that was already posted, even if its uploads are gone.
func (s *Service) attached(ctx context.Context, m Message) (Message, bool, error) {
	ids := m.attachmentIDs()
	if len(ids) == 0 {
		return m, false, nil
	}
	if s.uploads == nil {
		return m, false, Conflictf("this deployment stores no files")
	}
	all, err := s.uploads.Attach(ctx, m.Room, m.ID, ids)
	if KindOf(err) == Invalid {
		if stored, readErr := s.store.Message(ctx, m.Room, m.ID); readErr == nil {
			return asReplay(m, stored)
		}
	}
	m.Attachments = all
	return m, false, err
}

// attachmentsOf returns the attachments that a draft names, without their details.
func attachmentsOf(uploads []uuid.UUID) ([]Attachment, error) {
	if len(uploads) > MaxAttachments {
		return nil, Invalidf("attachments", "must be at most %d", MaxAttachments)
	}
	var all []Attachment
	seen := map[uuid.UUID]bool{}
	for i, id := range uploads {
		if seen[id] {
			return nil, Invalidf("attachments["+strconv.Itoa(i)+"]", "must differ from the others")
		}
		seen[id] = true
		all = append(all, Attachment{ID: id})
	}
	return all, nil
}

func (m Message) attachmentIDs() (ids []uuid.UUID) {
	for _, a := range m.Attachments {
		ids = append(ids, a.ID)
	}
	return ids
}

// attachmentBytes estimates an attachment in JSON without its name and its description.
const attachmentBytes = 300

func (a Attachment) pageBytes() int { return attachmentBytes + jsonBytes(a.Name) + jsonBytes(a.Alt) }
