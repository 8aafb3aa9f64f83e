//go:build deploy

package deploytest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// inbox is a queue that subscribes to the topic, in addition to the address.
type inbox struct {
	*deployment
	url string
}

func (d *deployment) subscribe(t *testing.T) inbox {
	t.Helper()
	var queue struct{ QueueUrl string } //nolint:revive // as SQS names it
	policy, err := json.Marshal(map[string]any{"Version": "2012-10-17", "Statement": []any{map[string]any{
		"Effect": "Allow", "Principal": map[string]any{"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage", "Resource": "*",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	attributes, err := json.Marshal(map[string]string{"Policy": string(policy)})
	if err != nil {
		t.Fatal(err)
	}
	d.aws(t, &queue, "sqs", "create-queue", "--queue-name", "mails", "--attributes", string(attributes))
	var of struct{ Attributes struct{ QueueArn string } }
	d.aws(t, &of, "sqs", "get-queue-attributes", "--queue-url", queue.QueueUrl, "--attribute-names", "QueueArn")
	d.aws(t, nil, "sns", "subscribe", "--topic-arn", d.outputs["AlarmTopicArn"], "--protocol", "sqs", "--notification-endpoint", of.Attributes.QueueArn)
	var all struct {
		Subscriptions []struct{ Protocol, Endpoint string }
	}
	d.aws(t, &all, "sns", "list-subscriptions-by-topic", "--topic-arn", d.outputs["AlarmTopicArn"])
	if !slices.ContainsFunc(all.Subscriptions, func(s struct{ Protocol, Endpoint string }) bool {
		return s.Protocol == "email" && s.Endpoint == "ops@example.com"
	}) {
		t.Errorf("the subscriptions are %v", all.Subscriptions)
	}
	return inbox{d, queue.QueueUrl}
}

// read returns the names of the alarms in the mails since the last call, by their new state.
func (in inbox) read(t *testing.T) map[string][]string {
	t.Helper()
	var batch struct{ Messages []struct{ Body string } }
	in.aws(t, &batch, "sqs", "receive-message", "--queue-url", in.url, "--max-number-of-messages", "10", "--visibility-timeout", "600",
		"--query", "{Messages: Messages || `[]`}")
	names := map[string][]string{}
	for _, m := range batch.Messages {
		var envelope struct{ Message string }
		var change struct{ AlarmName, NewStateValue, AlarmDescription string }
		if err := errors.Join(json.Unmarshal([]byte(m.Body), &envelope), json.Unmarshal([]byte(envelope.Message), &change)); err != nil {
			t.Fatalf("%v\n%s", err, m.Body)
		}
		if change.AlarmDescription == "" {
			t.Errorf("a mail reports %+v", change)
		}
		names[change.NewStateValue] = append(names[change.NewStateValue], change.AlarmName)
	}
	return names
}

// expect reads until every alarm has been mailed with a state, and no mail is left. Mails of other
// states are dropped: CloudWatch also reports that a new alarm is OK.
func (in inbox) expect(t *testing.T, state string, all []alarm) {
	t.Helper()
	var reported []string
	err := try(t.Context(), time.Minute, func() error {
		mails := in.read(t)
		reported = append(reported, mails[state]...)
		for _, a := range all {
			if !slices.Contains(reported, a.AlarmName) {
				return fmt.Errorf("no mail reports that %s is %s", a.AlarmName, state)
			}
		}
		if len(mails) > 0 {
			return errors.New("there may be more mails")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
