package feedfn

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/stream"
)

// Function is the feed function as Lambda calls it. It implements lambda.Handler, and decodes
// batches itself, because encoding/json reads each attribute of an image four times.
type Function struct{ handler *stream.Handler }

// Function returns the function for this configuration.
func (p Config) Function() Function { return Function{p.Handler()} }

// Invoke handles a batch of the table's stream.
func (f Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	batch, err := decodeBatch(payload)
	if err != nil {
		return nil, err
	}
	answer, err := f.handler.Handle(ctx, batch)
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// decodeBatch accepts everything that encoding/json accepts, since a refused batch would stop the
// stream.
func decodeBatch(payload []byte) (batch events.DynamoDBEvent, err error) {
	err = json.Unmarshal(payload, &batch, json.WithUnmarshalers(json.UnmarshalFromFunc(decodeAttribute)),
		json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return events.DynamoDBEvent{}, fmt.Errorf("decode a batch: %w", err)
	}
	return batch, nil
}

// decodeAttribute decodes texts, numbers and bytes, which nearly all attributes are. The library
// decodes the others.
func decodeAttribute(d *jsontext.Decoder, v *events.DynamoDBAttributeValue) error {
	value, err := d.ReadValue()
	if err != nil {
		return err
	}
	if text, ok := onlyMember(value, `{"S":`); ok {
		*v = events.NewStringAttribute(text)
		return nil
	}
	if number, ok := onlyMember(value, `{"N":`); ok {
		*v = events.NewNumberAttribute(number)
		return nil
	}
	if text, ok := onlyMember(value, `{"B":`); ok {
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			*v = events.NewBinaryAttribute(b)
			return nil
		}
	}
	return v.UnmarshalJSON(value)
}

// onlyMember returns the string that is the only member of an object. begin is the object up to
// that string.
func onlyMember(value jsontext.Value, begin string) (string, bool) {
	rest, ok := bytes.CutPrefix(value, []byte(begin))
	if !ok {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, bytes.TrimSuffix(rest, []byte("}")))
	return string(text), err == nil
}
