package hook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/policy"
)

// The actions in the audit log of a room.
const (
	actionCreated  = "hook.created"
	actionChanged  = "hook.changed"
	actionReplaced = "hook.replaced"
	actionRemoved  = "hook.removed"
)

// Access is the right to the hooks of a holder.
type Access struct {
	holder Holder
	by     chat.UserID
}

// ForService returns the access of a service to its own hooks.
func ForService(service chat.UserID) Access { return Access{Holder(service), service} }

// ForRoom returns the access of a person to the hooks of a room. The caller must be an owner, or a
// service with the room. The error is NotFound if the deployment has no hooks of rooms, Forbidden
// for a private or direct room whose changes hooks do not get, and otherwise as for Authorize.
func (s *Service) ForRoom(ctx context.Context, caller chat.UserID, room chat.RoomID) (Access, error) {
	if !s.rules.Owners {
		return Access{}, errOwnersOff()
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Configure); err != nil {
		return Access{}, err
	}
	if room.Private() && !s.rules.Private {
		return Access{}, &chat.Error{
			Kind: chat.Forbidden, Detail: "this deployment gives hooks no changes of private and direct rooms",
		}
	}
	return Access{OfRoom(room), caller}, nil
}

func errOwnersOff() error {
	return &chat.Error{
		Kind: chat.NotFound, Detail: "this deployment has no hooks of rooms: its setting Hooks has no owners",
	}
}

// Service returns the service whose hooks these are, or "" for a room's.
func (a Access) Service() chat.UserID {
	if a.holder.Room() != "" {
		return ""
	}
	return chat.UserID(a.holder)
}

// Room returns the room whose hooks these are, or "" for a service's.
func (a Access) Room() chat.RoomID { return a.holder.Room() }

// person returns whose rights a hook has that is put by a.
func (a Access) person() chat.UserID {
	if a.holder.Room() == "" {
		return ""
	}
	return a.by
}

// audited writes a line into the audit log of a room about its hook.
func (s *Service) audited(ctx context.Context, a Access, action string, h Hook) {
	if room := h.Holder.Room(); room != "" {
		s.audit.Audit(ctx, room, chat.AuditEvent{By: a.by, Action: action, On: h.By, Detail: string(h.ID)})
	}
}

// allowed reports whether the person whose rights a hook has may still make it: 3 read units for a
// room's hook. gone reports that they no longer manage the room, or that it was deleted.
func (s *Service) allowed(ctx context.Context, h Hook) (allowed, gone bool, err error) {
	room := h.Holder.Room()
	if room == "" {
		return true, false, nil
	}
	_, err = s.rooms.Authorize(ctx, h.By, room, policy.Configure)
	if kind := chat.KindOf(err); kind == chat.NotFound || kind == chat.Forbidden {
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	account, err := s.accounts.CurrentAccount(ctx, h.By)
	return s.rules.Owners && account.Check() == nil, false, err
}

// verified reports whether the receiver of a hook wants its changes. That of a service's hook does.
func (d *DeliveryState) verified(h Hook) bool { return h.Holder.Room() == "" || d.Verified == h.URL }

// asked returns when a test, or a change of the hook, last asked for a challenge.
func (h Hook) asked() time.Time {
	if h.TestAt.After(h.ChangedAt) {
		return h.TestAt
	}
	return h.ChangedAt
}

// challengeOf returns the text that the receiver of a hook must answer. Only the program that gets
// the requests to the address knows it.
func challengeOf(h Hook, secret []byte) string {
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte("challenge#" + h.rowsPK() + "#" + h.URL))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// answers reports whether the text of an answer is a challenge, with or without space around it, or
// has it in JSON.
func answers(a outgoing.Answer, challenge string) bool {
	var in struct {
		Challenge string `json:"challenge"`
	}
	return strings.TrimSpace(string(a.Body)) == challenge ||
		json.Unmarshal(a.Body, &in) == nil && in.Challenge == challenge
}
