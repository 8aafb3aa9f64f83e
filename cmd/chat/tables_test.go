package main

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
)

// TestCreateLocalTable_CreatesATableThatExistsByNameOnly answers the first read of a table as the
// engine does after a start that was killed while it created the table.
func TestCreateLocalTable_CreatesATableThatExistsByNameOnly(t *testing.T) {
	t.Parallel()
	half := &halfTable{}
	db := dynamo.LocalClient(enginetest.Start(t), half.options)
	arn, err := createLocalTable(t.Context(), db)
	if err != nil || arn == "" || half.created != 2 || half.deleted != 1 {
		t.Fatalf("stream %q, %v; created %d times, deleted %d times", arn, err, half.created, half.deleted)
	}
	put := &dynamodb.PutItemInput{TableName: aws.String(localTable), Item: map[string]types.AttributeValue{
		table.PK: &types.AttributeValueMemberS{Value: "a"}, table.SK: &types.AttributeValueMemberS{Value: "b"},
	}}
	if _, err := db.PutItem(t.Context(), put); err != nil {
		t.Fatal(err)
	}
	if again, err := createLocalTable(t.Context(), db); err != nil || again != arn || half.deleted != 1 {
		t.Errorf("a table with an item: stream %q, %v; deleted %d times", again, err, half.deleted)
	}
}

// halfTable is a client's HTTP client that refuses reads of the first table, and counts.
type halfTable struct {
	next             dynamodb.HTTPClient
	created, deleted int
}

func (h *halfTable) options(o *dynamodb.Options) {
	h.next, o.HTTPClient = o.HTTPClient, h
	o.RetryMaxAttempts = 1
}

func (h *halfTable) Do(r *http.Request) (*http.Response, error) {
	switch r.Header.Get("X-Amz-Target") {
	case "DynamoDB_20120810.CreateTable":
		h.created++
	case "DynamoDB_20120810.DeleteTable":
		h.deleted++
	case "DynamoDB_20120810.Scan":
		if h.deleted == 0 {
			const answer = `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"backend: no such table: parley"}`
			return &http.Response{StatusCode: http.StatusInternalServerError, Header: http.Header{}, Body: io.NopCloser(bytes.NewBufferString(answer)), Request: r}, nil
		}
	}
	return h.next.Do(r)
}
