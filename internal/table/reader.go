package table

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
)

func str[T ~string](s T) *types.AttributeValueMemberS {
	return &types.AttributeValueMemberS{Value: string(s)}
}

func number(n int64) *types.AttributeValueMemberN {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

// reader reads the attributes of an item and keeps the first error.
type reader struct {
	item Item
	err  error
}

func (r *reader) keep(err error) {
	if r.err == nil {
		r.err = err
	}
}

// expect checks the item's type, and that its schema version is the current one or a neighbour. A
// writer of a new version keeps the attributes that readers of the previous version need, so that
// deployments may happen in any order.
func (r *reader) expect(want Kind) {
	if got := Kind(r.str(attrType)); r.err == nil && got != want {
		r.err = fmt.Errorf("type is %q, want %q", got, want)
	}
	if v := r.number(attrVersion); r.err == nil && (v < schemaVersion-1 || v > schemaVersion+1) {
		r.err = fmt.Errorf("schema version %d is unknown", v)
	}
}

func (r *reader) str(name string) string {
	v, ok := r.item[name].(*types.AttributeValueMemberS)
	if !ok {
		r.keep(fmt.Errorf("%s is not a string", name))
		return ""
	}
	return v.Value
}

func (r *reader) optionalStr(name string) string {
	if r.item[name] == nil {
		return ""
	}
	return r.str(name)
}

func (r *reader) optionalBytes(name string) []byte {
	if r.item[name] == nil {
		return nil
	}
	return r.bytes(name)
}

func (r *reader) bytes(name string) []byte {
	v, ok := r.item[name].(*types.AttributeValueMemberB)
	if !ok {
		r.keep(fmt.Errorf("%s is not binary", name))
		return nil
	}
	return v.Value
}

// optionalMessageID reads the id of a message. An attribute that is absent is the zero id.
func (r *reader) optionalMessageID(name string) chat.MessageID {
	text := r.optionalStr(name)
	if text == "" {
		return chat.MessageID{}
	}
	id, err := chat.ParseMessageID(text)
	r.keep(err)
	return id
}

// optionalUsers reads a set of users, in order. An attribute that is absent is nil.
func (r *reader) optionalUsers(name string) []chat.UserID {
	var users []chat.UserID
	for _, text := range r.optionalSet(name) {
		user, err := chat.StoredUserID(text)
		r.keep(err)
		users = append(users, user)
	}
	slices.Sort(users)
	return users
}

// optionalSet reads a set of strings, which has no order. An attribute that is absent is nil.
func (r *reader) optionalSet(name string) []string {
	if r.item[name] == nil {
		return nil
	}
	set, ok := r.item[name].(*types.AttributeValueMemberSS)
	if !ok {
		r.keep(fmt.Errorf("%s is not a set of strings", name))
		return nil
	}
	return set.Value
}

// userSet writes users, of whom there is at least one.
func userSet(users []chat.UserID) *types.AttributeValueMemberSS {
	set := &types.AttributeValueMemberSS{}
	for _, user := range users {
		set.Value = append(set.Value, string(user))
	}
	return set
}

func (r *reader) optionalNumber(name string) int64 {
	if r.item[name] == nil {
		return 0
	}
	return r.number(name)
}

// optionalTime reads milliseconds. An attribute that is absent is the zero time.
func (r *reader) optionalTime(name string) time.Time {
	if r.item[name] == nil {
		return time.Time{}
	}
	return time.UnixMilli(r.number(name)).UTC()
}

// optionalSeconds reads whole seconds of Unix time. An attribute that is absent is 1970.
func (r *reader) optionalSeconds(name string) time.Time {
	return time.Unix(r.optionalNumber(name), 0).UTC()
}

func (r *reader) number(name string) int64 {
	v, ok := r.item[name].(*types.AttributeValueMemberN)
	if !ok {
		r.keep(fmt.Errorf("%s is not a number", name))
		return 0
	}
	n, err := strconv.ParseInt(v.Value, 10, 64)
	if err != nil {
		r.keep(fmt.Errorf("%s: %w", name, err))
	}
	return n
}
