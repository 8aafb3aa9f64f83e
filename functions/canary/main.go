// The canary function checks the deployment every few minutes, as one of its users. It signs in and
// runs the steps of make smoke through the public API. A run that fails returns an error, which
// Lambda counts and an alarm watches.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider"
	"github.com/aws/aws-sdk-go-v2/service/cognitoidentityprovider/types"
	"github.com/aws/aws-sdk-go-v2/service/ssm"

	"example.com/parley/internal/config"
	"example.com/parley/internal/smoke"
)

func main() {
	if err := run(context.Background(), os.Getenv, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "canary:", err)
		os.Exit(1)
	}
}

// run handles events one after another until the runtime ends the process.
func run(ctx context.Context, getenv func(string) string, logs io.Writer) error {
	c, err := fromEnv(getenv, logs)
	if err != nil {
		return err
	}
	lambda.StartWithOptions(c.handle, lambda.WithContext(ctx))
	return nil
}

// awsConfig returns a configuration from the variables that Lambda sets. The SDK's loader would
// read the same ones, and take longer.
func awsConfig(getenv func(string) string) (aws.Config, error) {
	err := config.Require(getenv, "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
	if err != nil {
		return aws.Config{}, err
	}
	keys := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"), Source: "Lambda",
	}
	return aws.Config{
		Region: getenv("AWS_REGION"), HTTPClient: httpClient(),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
	}, nil
}

func endpoint(getenv func(string) string, variable string) *string {
	if url := config.Endpoint(getenv, variable); url != "" {
		return &url
	}
	return nil
}

// user is the name of the canary's user in the pool. An operator creates that user.
const user = "canary"

// callTimeout bounds one attempt of a call to AWS; the SDK makes three.
const callTimeout = 5 * time.Second

// canary has the dependencies of the function.
type canary struct {
	URL       string // of the API
	UserPool  string // the pool's id
	Client    string // the id of the app client
	Parameter string // the name of the parameter that holds the user's password
	Users     *cognitoidentityprovider.Client
	Secrets   *ssm.Client
	Patience  time.Duration // zero is the default of smoke
	Log       *slog.Logger
}

// handle does one run. The event carries no information: it only triggers the run.
func (c canary) handle(ctx context.Context, _ json.RawMessage) error {
	token, err := c.signIn(ctx)
	if err != nil {
		c.Log.ErrorContext(ctx, "canary", "step", "sign in", "error", err)
		return fmt.Errorf("sign in: %w", err)
	}
	steps, err := smoke.Run(
		ctx, smoke.Config{URL: c.URL, Token: token, Clock: time.Now, Random: rand.Reader, Patience: c.Patience},
	)
	took := make([]any, 0, len(steps))
	for _, s := range steps {
		took = append(took, slog.Int64(s.Name, s.Took.Milliseconds()))
	}
	if err != nil {
		c.Log.ErrorContext(ctx, "canary", "error", err, slog.Group("ms", took...))
		return err
	}
	c.Log.InfoContext(ctx, "canary", slog.Group("ms", took...))
	return nil
}

// signIn returns an access token of the canary's user. It reads the password from its parameter
// on every call, so that a changed password takes effect immediately.
func (c canary) signIn(ctx context.Context) (string, error) {
	secret, err := c.Secrets.GetParameter(
		ctx, &ssm.GetParameterInput{Name: &c.Parameter, WithDecryption: aws.Bool(true)},
	)
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	session, err := c.Users.AdminInitiateAuth(ctx, &cognitoidentityprovider.AdminInitiateAuthInput{
		UserPoolId: &c.UserPool, ClientId: &c.Client, AuthFlow: types.AuthFlowTypeAdminUserPasswordAuth,
		AuthParameters: map[string]string{"USERNAME": user, "PASSWORD": aws.ToString(secret.Parameter.Value)},
	})
	if err != nil {
		return "", err
	}
	if session.AuthenticationResult == nil || aws.ToString(session.AuthenticationResult.AccessToken) == "" {
		return "", errors.New("the user pool asks for more than a password: set the password as permanent")
	}
	return *session.AuthenticationResult.AccessToken, nil
}

// fromEnv returns the deployed function. It makes no request.
func fromEnv(getenv func(string) string, logs io.Writer) (canary, error) {
	log, err := config.FunctionLogger(
		getenv, logs, config.EnvURL, config.EnvUserPool, config.EnvClient, config.EnvCanaryParameter,
	)
	if err != nil {
		return canary{}, err
	}
	cfg, err := awsConfig(getenv)
	if err != nil {
		return canary{}, err
	}
	return canary{
		URL: getenv(config.EnvURL), UserPool: getenv(config.EnvUserPool), Client: getenv(config.EnvClient),
		Parameter: getenv(config.EnvCanaryParameter), Log: log,
		Users: cognitoidentityprovider.NewFromConfig(
			cfg,
			func(o *cognitoidentityprovider.Options) { o.BaseEndpoint = endpoint(getenv, config.EnvUsersEndpoint) },
		),
		Secrets: ssm.NewFromConfig(
			cfg, func(o *ssm.Options) { o.BaseEndpoint = endpoint(getenv, config.EnvSecretsEndpoint) },
		),
	}, nil
}

func httpClient() *http.Client { return &http.Client{Timeout: callTimeout} }
