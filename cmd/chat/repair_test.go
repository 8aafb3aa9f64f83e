package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/folder"
)

// runRepair runs a repair and returns its output.
func runRepair(t testing.TB, args ...string) (string, error) {
	t.Helper()
	out, err := command(t, append([]string{"feed", "repair"}, args...)...).CombinedOutput()
	return string(out), err
}

// dirWithoutStream returns a data folder with a room and n messages, whose table has no stream.
func dirWithoutStream(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	if err := s.end(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(context.Background()) }()
	db := dynamo.LocalClient(e.Endpoint())
	_, err = db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: aws.String(localTable), StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		postTo(t, localStore(e.Endpoint()), "seattle", i)
	}
	return dir
}

func TestFeedRepair_WithAndWithoutAServer(t *testing.T) {
	t.Parallel()
	const messages = 3
	var want []string
	for range messages {
		want = append(want, "message.created amsg 1")
	}
	for _, served := range []bool{true, false} {
		t.Run(fmt.Sprintf("server running: %v", served), func(t *testing.T) {
			t.Parallel()
			dir := dirWithoutStream(t, messages)
			if served {
				serve(t, dir)
			}
			for _, line := range []string{
				"3 messages read, 0 of their changes present, 3 appended; the replies and reactions of 3 messages were counted\n",
				"3 messages read, 3 of their changes present, 0 appended\n",
			} {
				if out, err := runRepair(t, "--room", "seattle", "--data", dir); err != nil || out != line {
					t.Errorf("%q, %v, want %q", out, err, line)
				}
			}
			e, err := folder.Join(t.Context(), folder.Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Stop(context.Background()) }()
			_, tail, err := localStore(e.Endpoint()).FeedFrom(t.Context(), "seattle", 1, messages+2)
			if err != nil || len(tail) < 2 {
				t.Fatal(tail, err)
			}
			if got := describe(tail[len(tail)-1].Changes); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestFeedRepair_ErrorStatesTheReason(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]struct {
		args []string
		says string
	}{
		"no room":                  {nil, "--room"},
		"an invalid room":          {[]string{"--room", "#"}, "room"},
		"an unknown room":          {[]string{"--room", "nowhere"}, "there is no such room"},
		"a region without a table": {[]string{"--room", "seattle", "--region", "eu-west-1"}, "--table"},
		"no credentials":           {[]string{"--room", "seattle", "--table", "t"}, "AWS_"},
		"an invalid folder":        {[]string{"--room", "seattle", "--data", filepath.Join(os.DevNull, "x")}, "folder"},
	} {
		if !slices.Contains(c.args, "--data") {
			c.args = append(c.args, "--data", dataDir(t))
		}
		if out, err := runRepair(t, c.args...); err == nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v\n%s", why, err, out)
		}
	}
}
