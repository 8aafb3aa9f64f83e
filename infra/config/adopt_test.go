package config_test

import (
	"testing"

	"example.com/parley/infra/config"
)

const (
	aTable       = "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-restored"
	aStream      = aTable + "/stream/2026-01-31T12:00:00.000"
	aCertificate = "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"
	aLog         = "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-log"
)

func TestResolve_RefusesInvalidTables(t *testing.T) {
	t.Parallel()
	tests := []struct {
		adopt config.Adopt
		want  string
	}{
		{config.Adopt{Table: "parley-restored"}, "Adopt.Table must be the ARN of the table's stream"},
		{config.Adopt{Table: aTable}, "Adopt.Table must be the ARN of the table's stream"},
		{config.Adopt{Table: aStream + "\n"}, "Adopt.Table must be the ARN of the table's stream"},
		{config.Adopt{LogTable: "parley-log"}, "Adopt.LogTable must be the ARN of a table"},
		{config.Adopt{LogTable: aLog + "/stream/2026-01-31T12:00:00.000"}, "Adopt.LogTable must be the ARN of a table"},
		{config.Adopt{Table: aStream, LogTable: aTable}, "Adopt.LogTable must be another table"},
	}
	for _, tt := range tests {
		s := explicit()
		s.Adopt = tt.adopt
		_, err := s.Resolve(config.Prod)
		wantError(t, err, "infra/settings/prod.go: "+tt.want)
	}
}

// TestResolve_AcceptsEveryFormOfAStream covers AWS's label, an emulator's, and another partition.
func TestResolve_AcceptsEveryFormOfAStream(t *testing.T) {
	t.Parallel()
	for _, stream := range []string{
		aStream,
		"arn:aws:dynamodb:us-east-1:000000000000:table/Parley-prod-Table-0700609D0B1F9/stream/2026-11-21T18:41:31.137Z",
		"arn:aws-us-gov:dynamodb:us-gov-west-1:123456789012:table/chat_v1.restored/stream/2026-01-31T12:00:00.000",
	} {
		s := explicit()
		s.Adopt.Table = stream
		if c, err := s.Resolve(config.Prod); err != nil || c.Table.AdoptStream != stream {
			t.Errorf("%s: %v", stream, err)
		}
	}
}

// TestConfigIn_ChecksThePlace covers credentials for the tables' account and Region, for others, and
// none.
func TestConfigIn_ChecksThePlace(t *testing.T) {
	t.Parallel()
	s := explicit()
	s.Adopt = config.Adopt{Table: aStream, LogTable: aLog}
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.In("123456789012", "eu-west-1"); err != nil {
		t.Error(err)
	}
	if _, err := c.In("", "us-east-1"); err != nil {
		t.Errorf("without credentials: %v", err)
	}
	_, err = c.In("123456789012", "us-east-1")
	wantError(t, err, "infra/settings/prod.go: Adopt.")
	_, err = c.In("210987654321", "eu-west-1")
	wantError(t, err, "but the credentials are for eu-west-1 of account 210987654321")
	s.Adopt, s.Domain = config.Adopt{}, config.Domain{Name: "chat.example.com", Certificate: aCertificate}
	if c, err = s.Resolve(config.Prod); err != nil {
		t.Fatal(err)
	}
	_, err = c.In("123456789012", "us-east-1")
	wantError(t, err, "infra/settings/prod.go: Domain.Certificate is in eu-west-1")
	own, err := explicit().Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := own.In("123456789012", "us-east-1"); err != nil {
		t.Errorf("without an adopted table: %v", err)
	}
}
