package hook

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
)

const (
	// oldSecretTime is how long a replaced secret signs too: a day to change it in the receiver.
	oldSecretTime = 24 * time.Hour
	// maxFailures bounds the failures that are kept, to show what a receiver answers.
	maxFailures = 5
	// maxHeld bounds the rooms that wait for a refused change. Beyond it the receiver refuses too
	// much for single changes to be the cause.
	maxHeld = 10
)

// The attributes of a delivery. People's requests write the secrets, and deliveries the state, each
// without reading the other.
const (
	skDelivery    = "delivery"
	attrSecret    = "secret"
	attrOldSecret = "oldSecret"
	attrOldUntil  = "oldUntil"
	attrState     = "state"
)

// Delivery is how the changes of a hook with an address arrive.
type Delivery struct {
	secret, old []byte
	oldUntil    time.Time // until when old signs too
	DeliveryState
}

// DeliveryState is the state that deliveries keep.
type DeliveryState struct {
	Tries   int       `json:"tries,omitzero"`   // failures since the last success
	Failing time.Time `json:"failing,omitzero"` // when the first of them was
	Paused  time.Time `json:"paused,omitzero"`  // until then nothing is sent
	// Behind reports that rows say what waits.
	Behind bool `json:"behind,omitzero"`
	// Limit bounds the changes of a request after one was refused, and is 0 otherwise.
	Limit int `json:"limit,omitzero"`
	// Held are rooms whose next change was refused alone. The other rooms go on.
	Held []Held `json:"held,omitzero"`
	// Disabled is why nothing is sent until the hook is changed.
	Disabled string `json:"disabled,omitzero"`
	// Verified is the address of a room's hook that has answered a challenge.
	Verified string    `json:"verified,omitzero"`
	Failures []Failure `json:"failures,omitzero"` // the last ones, newest first
	TestedAt time.Time `json:"testedAt,omitzero"` // the last test that was sent
	Test     string    `json:"test,omitzero"`     // its outcome
}

// Held is a room whose next change was refused.
type Held struct {
	Room  chat.RoomID `json:"room"`
	Since time.Time   `json:"since"`
	Next  time.Time   `json:"next"` // when it is tried again
}

// Failure is a request that was not accepted.
type Failure struct {
	At     time.Time `json:"at"`
	Reason string    `json:"reason"` // the status of the answer, or why there is none
	// Room and Seq are the change that was left out for it, if any.
	Room chat.RoomID `json:"room,omitzero"`
	Seq  int64       `json:"seq,omitzero"`
}

// The reasons of disabled hooks.
const (
	disabledGone = "the receiver answered 410"
	disabledLong = "the receiver has failed for three days"
)

// DeliveryKey returns the primary key of the delivery of a hook.
func (h Hook) DeliveryKey() table.Item { return table.Key(h.rowsPK(), skDelivery) }

func parseDelivery(item table.Item) (Delivery, error) {
	r := table.Reader{Item: item}
	r.Expect(table.HookDeliveryKind)
	d := Delivery{
		secret: r.Bytes(attrSecret), old: r.OptionalBytes(attrOldSecret), oldUntil: r.OptionalTime(attrOldUntil),
	}
	if state := r.OptionalBytes(attrState); state != nil {
		r.Keep(json.Unmarshal(state, &d.DeliveryState))
	}
	if r.Err != nil {
		return Delivery{}, fmt.Errorf("delivery of a hook: %w", r.Err)
	}
	return d, nil
}

// secrets returns the secrets that sign at a time.
func (d Delivery) secrets(now time.Time) [][]byte {
	if now.Before(d.oldUntil) {
		return [][]byte{d.secret, d.old}
	}
	return [][]byte{d.secret}
}

// renew ends a pause, and the state of a disabled hook, if the hook was changed after the last
// failure.
func (d *DeliveryState) renew(h Hook) {
	if len(d.Failures) > 0 && h.ChangedAt.After(d.Failures[0].At) {
		d.Tries, d.Failing, d.Paused, d.Disabled = 0, time.Time{}, time.Time{}, ""
	}
}

// failed adds a failure.
func (d *DeliveryState) failed(f Failure) {
	d.Failures = append([]Failure{f}, d.Failures...)
	d.Failures = d.Failures[:min(len(d.Failures), maxFailures)]
}

// delivery returns the delivery of a hook with an address: 1 read unit.
func (s *Service) delivery(ctx context.Context, h Hook) (Delivery, error) {
	d, found, err := dynamo.ReadStrong(ctx, s.table, "read delivery of a hook", h.DeliveryKey(), parseDelivery)
	d.renew(h)
	if err == nil && !found {
		err = errNoHook() // it was deleted meanwhile
	}
	return d, err
}

// putState stores the state of a delivery, unless the hook is deleted: 1 write unit.
func (s *Service) putState(ctx context.Context, h Hook, d DeliveryState) error {
	text, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode delivery of a hook: %w", err)
	}
	return s.table.UpdateBlindly(ctx, "keep state of a hook", h.DeliveryKey(), table.Update{
		Expression: "SET #state = :state", Condition: "attribute_exists(#secret)",
		Names:  map[string]string{"#state": attrState, "#secret": attrSecret},
		Values: table.Item{":state": table.Binary(text)},
	})
}

// DeliveryItem returns the item of the delivery of a new hook with an address.
func DeliveryItem(h Hook, secret []byte) table.Item {
	item := h.DeliveryKey()
	table.Stamp(item, table.HookDeliveryKind)
	item[attrSecret] = table.Binary(secret)
	return item
}

// newSecret gives a hook a secret: 1 write unit.
func (s *Service) newSecret(ctx context.Context, h Hook) (text string, err error) {
	secret, err := outgoing.NewSecret(s.random)
	if err != nil {
		return "", err
	}
	_, err = s.table.PutItem(ctx, "keep secret of a hook", DeliveryItem(h, secret), table.Update{})
	return outgoing.FormatSecret(secret), err
}

// ReplaceSecret gives a hook with an address a new secret, and returns it. For a day the old one
// signs too. It costs 2 read units and 1 write unit. The error is Conflict for a hook that is
// fetched.
func (s *Service) ReplaceSecret(ctx context.Context, a Access, id ID) (string, error) {
	h, err := s.ownAddressed(ctx, a, id)
	if err != nil {
		return "", err
	}
	secret, err := outgoing.NewSecret(s.random)
	if err != nil {
		return "", err
	}
	_, err = s.table.TryUpdate(ctx, "replace secret of a hook", h.DeliveryKey(), table.Update{
		Expression: "SET #old = #secret, #until = :until, #secret = :secret",
		// The SDK repeats a request whose answer is lost, which must not forget the former secret.
		Condition: "attribute_exists(#secret) AND #secret <> :secret",
		Names:     map[string]string{"#secret": attrSecret, "#old": attrOldSecret, "#until": attrOldUntil},
		Values: table.Item{
			":secret": table.Binary(secret), ":until": table.Number(s.now().Add(oldSecretTime).UnixMilli()),
		},
	})
	if err == nil {
		s.audited(ctx, a, actionReplaced, h)
	}
	return outgoing.FormatSecret(secret), err
}

// Test asks for a request to the address of a hook, which is sent within seconds, also while
// deliveries pause; for an unverified hook it is the challenge: 1 read unit and 1 write unit. The
// error is Conflict for a hook that is fetched.
func (s *Service) Test(ctx context.Context, a Access, id ID) error {
	h, err := s.ownAddressed(ctx, a, id)
	if err != nil {
		return err
	}
	return s.touch(ctx, h, attrTest)
}

// touch sets the time of a change in a hook, for which the outbox wakes it.
func (s *Service) touch(ctx context.Context, h Hook, attr string) error {
	return s.table.UpdateBlindly(ctx, "touch hook", key(h.Holder, h.ID), table.Update{
		Expression: "SET #at = :now", Condition: "#created = :created",
		Names: map[string]string{"#at": attr, "#created": attrCreated},
		Values: table.Item{
			":now": table.Number(s.now().UnixMilli()), ":created": table.Number(h.CreatedAt.UnixMilli()),
		},
	})
}

// ownAddressed is own, with the error Conflict for a hook that is fetched.
func (s *Service) ownAddressed(ctx context.Context, a Access, id ID) (Hook, error) {
	h, err := s.own(ctx, a, id)
	if err == nil && h.URL == "" {
		err = chat.Conflictf("this hook has no url: its program fetches")
	}
	return h, err
}
