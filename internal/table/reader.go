package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
)

// Text returns a value that is a string.
func Text[T ~string](s T) *types.AttributeValueMemberS {
	return &types.AttributeValueMemberS{Value: string(s)}
}

// Number returns a value that is an integer.
func Number(n int64) *types.AttributeValueMemberN {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// Binary returns a value that is bytes.
func Binary(b []byte) *types.AttributeValueMemberB { return &types.AttributeValueMemberB{Value: b} }

// BinarySet returns a value that is a set of binary values. There must be at least one.
func BinarySet(all [][]byte) *types.AttributeValueMemberBS {
	return &types.AttributeValueMemberBS{Value: all}
}

// Bool returns a value that is true or false.
func Bool(b bool) *types.AttributeValueMemberBOOL { return &types.AttributeValueMemberBOOL{Value: b} }

// List returns a value that is a list of strings.
func List(texts []string) *types.AttributeValueMemberL {
	list := &types.AttributeValueMemberL{}
	for _, text := range texts {
		list.Value = append(list.Value, Text(text))
	}
	return list
}

// Reader reads the attributes of an item.
type Reader struct {
	Item Item
	Err  error // the first error
}

// Keep adds an error, which may be nil.
func (r *Reader) Keep(err error) {
	if r.Err == nil {
		r.Err = err
	}
}

// Expect checks the item's type, and that its schema version is the current one or a neighbour. A
// writer of a new version keeps the attributes that readers of the previous version need, so
// deployments may happen in any order.
func (r *Reader) Expect(want Kind) {
	if got := Kind(r.Text(attrType)); r.Err == nil && got != want {
		r.Err = fmt.Errorf("type is %q, want %q", got, want)
	}
	if v := r.Number(attrVersion); r.Err == nil && (v < schemaVersion-1 || v > schemaVersion+1) {
		r.Err = fmt.Errorf("schema version %d is unknown", v)
	}
}

// Text reads a string.
func (r *Reader) Text(name string) string {
	v, ok := r.Item[name].(*types.AttributeValueMemberS)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a string", name))
		return ""
	}
	return v.Value
}

// OptionalText reads a string. An attribute that is absent is empty.
func (r *Reader) OptionalText(name string) string {
	if r.Item[name] == nil {
		return ""
	}
	return r.Text(name)
}

// OptionalBytes reads a binary value. An attribute that is absent is nil.
func (r *Reader) OptionalBytes(name string) []byte {
	if r.Item[name] == nil {
		return nil
	}
	return r.Bytes(name)
}

// Bytes reads a binary value.
func (r *Reader) Bytes(name string) []byte {
	v, ok := r.Item[name].(*types.AttributeValueMemberB)
	if !ok {
		r.Keep(fmt.Errorf("%s is not binary", name))
		return nil
	}
	return v.Value
}

// BinarySet reads a set of binary values.
func (r *Reader) BinarySet(name string) [][]byte {
	set, ok := r.Item[name].(*types.AttributeValueMemberBS)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a set of binary values", name))
		return nil
	}
	return set.Value
}

// optionalMessageID reads the id of a message. An attribute that is absent is the zero id.
func (r *Reader) optionalMessageID(name string) chat.MessageID {
	text := r.OptionalText(name)
	if text == "" {
		return chat.MessageID{}
	}
	id, err := chat.ParseMessageID(text)
	r.Keep(err)
	return id
}

// OptionalUsers reads a set of users, in order. An attribute that is absent is nil.
func (r *Reader) OptionalUsers(name string) []chat.UserID {
	var users []chat.UserID
	for _, text := range r.OptionalSet(name) {
		user, err := chat.StoredUserID(text)
		r.Keep(err)
		users = append(users, user)
	}
	slices.Sort(users)
	return users
}

// OptionalSet reads a set of strings, which has no order. An attribute that is absent is nil.
func (r *Reader) OptionalSet(name string) []string {
	if r.Item[name] == nil {
		return nil
	}
	set, ok := r.Item[name].(*types.AttributeValueMemberSS)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a set of strings", name))
		return nil
	}
	return set.Value
}

// OptionalTexts reads a list of strings. An attribute that is absent is nil.
func (r *Reader) OptionalTexts(name string) []string {
	if r.Item[name] == nil {
		return nil
	}
	list, ok := r.Item[name].(*types.AttributeValueMemberL)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a list", name))
		return nil
	}
	var all []string
	for _, v := range list.Value {
		s, ok := v.(*types.AttributeValueMemberS)
		if !ok {
			r.Keep(fmt.Errorf("%s does not hold strings", name))
			return nil
		}
		all = append(all, s.Value)
	}
	return all
}

// Set returns a value that is a set of strings. There must be at least one.
func Set[T ~string](all []T) *types.AttributeValueMemberSS {
	set := &types.AttributeValueMemberSS{}
	for _, text := range all {
		set.Value = append(set.Value, string(text))
	}
	return set
}

// OptionalNumber reads an integer. An attribute that is absent is 0.
func (r *Reader) OptionalNumber(name string) int64 {
	if r.Item[name] == nil {
		return 0
	}
	return r.Number(name)
}

// OptionalTime reads milliseconds. An attribute that is absent is the zero time.
func (r *Reader) OptionalTime(name string) time.Time {
	if r.Item[name] == nil {
		return time.Time{}
	}
	return time.UnixMilli(r.Number(name)).UTC()
}

// OptionalSeconds reads whole seconds of Unix time. An absent attribute is the start of 1970.
func (r *Reader) OptionalSeconds(name string) time.Time {
	return time.Unix(r.OptionalNumber(name), 0).UTC()
}

// Number reads an integer.
func (r *Reader) Number(name string) int64 {
	v, ok := r.Item[name].(*types.AttributeValueMemberN)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a number", name))
		return 0
	}
	n, err := strconv.ParseInt(v.Value, 10, 64)
	if err != nil {
		r.Keep(fmt.Errorf("%s: %w", name, err))
	}
	return n
}

// User returns the user of the partition that the item is in.
func (r *Reader) User() chat.UserID {
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	return user
}
