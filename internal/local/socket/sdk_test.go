package socket_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi"
	"github.com/aws/aws-sdk-go-v2/service/apigatewaymanagementapi/types"
)

// TestManagement_SDKsClient calls connections with AWS's own client, which signs requests and reads
// errors as the service has them.
func TestManagement_SDKsClient(t *testing.T) {
	t.Parallel()
	a := serve(t)
	a.advance(time.Since(start)) // the client signs with the machine's clock
	ws, id := a.connect(t)
	c := apigatewaymanagementapi.New(apigatewaymanagementapi.Options{
		BaseEndpoint: &a.management, Region: signer.Region, HTTPClient: a.client, RetryMaxAttempts: 1,
		Credentials: aws.CredentialsProviderFunc(staticCredentials),
	})
	post := func(id, text string) error {
		_, err := c.PostToConnection(t.Context(), &apigatewaymanagementapi.PostToConnectionInput{ConnectionId: &id, Data: []byte(text)})
		return err
	}
	if err := post(id, "hello"); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, ws); got != "hello" {
		t.Error(got)
	}
	var tooLarge *types.PayloadTooLargeException
	if err := post(id, strings.Repeat("x", 128<<10+1)); !errors.As(err, &tooLarge) {
		t.Errorf("a large message: %v", err)
	}
	got, err := c.GetConnection(t.Context(), &apigatewaymanagementapi.GetConnectionInput{ConnectionId: &id})
	if err != nil || got.ConnectedAt == nil || got.LastActiveAt == nil || aws.ToString(got.Identity.SourceIp) != "127.0.0.1" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := c.DeleteConnection(t.Context(), &apigatewaymanagementapi.DeleteConnectionInput{ConnectionId: &id}); err != nil {
		t.Error(err)
	}
	var gone *types.GoneException
	if err := post(id, "late"); !errors.As(err, &gone) {
		t.Errorf("a connection that has ended: %v", err)
	}
	wantClose(t, ws, 1000)
}
