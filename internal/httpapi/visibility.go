package httpapi

import (
	"context"

	"example.com/parley/internal/chat"
)

// checkVisibility returns an error if a request states a visibility that does not agree with the
// room's id, or that the caller may not choose. A person may not: whether the id is taken would
// reveal a hidden room. The answer does not depend on it.
func (r *RoomSettings) checkVisibility(ctx context.Context, id chat.RoomID) error {
	if r == nil || r.Visibility == nil {
		return nil
	}
	switch private := *r.Visibility == "private"; {
	case private != id.Private():
		return chat.Invalidf("visibility", "must agree with the id: those of private rooms begin with p-, and no others do")
	case private && !isService(ctx):
		return &chat.Error{Kind: chat.Forbidden, Field: "visibility",
			Detail: "only a service chooses the id of a private room; create it with POST /rooms, or leave visibility out to change a room"}
	}
	return nil
}
