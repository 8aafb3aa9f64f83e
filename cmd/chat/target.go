package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/folder"
)

// localTable is the name of the chat table on the local engine.
const localTable = "parley"

// target selects the table on which a command works.
type target struct {
	data
	account
	Table string `help:"Use this deployed table, with the credentials of the AWS CLI, instead of the data folder."`
}

// validate checks the flags before anything is opened.
func (t *target) validate() error {
	switch {
	case t.Table != "":
		return nil
	case t.Region != "":
		return errors.New("--region is for a deployed table: it needs --table")
	case t.Profile != "":
		return errors.New("--profile is for a deployed table: it needs --table")
	}
	return nil
}

// openTable is a table on which a command works.
type openTable struct {
	db    *dynamodb.Client
	table string
	close func() error
}

func (o openTable) store() *dynamo.Store {
	return dynamo.New(o.db, dynamo.Options{Table: o.table, Clock: time.Now})
}

// open opens the deployed table or the data folder's table. A deployed table must exist. Locally,
// open starts the engine unless a server already runs it.
func (t *target) open(ctx context.Context, s streams) (openTable, error) {
	if t.Table == "" {
		return t.openLocal(ctx, s)
	}
	db, err := t.client(ctx)
	if err != nil {
		return openTable{}, fmt.Errorf("open table %s: %w", t.Table, err)
	}
	if _, err := find(ctx, db, t.Table); err != nil {
		return openTable{}, err
	}
	return openTable{db: db, table: t.Table, close: func() error { return nil }}, nil
}

func (t *target) openLocal(ctx context.Context, s streams) (openTable, error) {
	if _, err := engine.Ensure(ctx, os.Getenv, s.Err); err != nil {
		return openTable{}, err
	}
	e, err := folder.Join(ctx, folder.Config{Dir: t.Data, Log: s.Log})
	if err != nil {
		return openTable{}, err
	}
	// Stop the engine even if ctx has ended, so that it writes its file.
	stop := func() error { return e.Stop(context.WithoutCancel(ctx)) }
	o := openTable{db: dynamo.LocalClient(e.Endpoint()), table: localTable, close: stop}
	if _, err := createLocalTable(ctx, o.db); err != nil {
		return openTable{}, errors.Join(err, o.close())
	}
	return o, nil
}

// signInTime limits how long the credential chain may search. Assuming a role from another role
// takes two calls. On a laptop the chain waits in vain for instance metadata.
const signInTime = 20 * time.Second

// account selects the credentials for a deployed table or stack.
type account struct {
	Region  string `help:"The region of the table or the stack. By default $$AWS_REGION, or the profile's region."`
	Profile string `help:"The profile of ~/.aws/config to use. By default $$AWS_PROFILE, or the environment's credentials."`
}

// client returns a DynamoDB client with the account's credentials.
func (a account) client(ctx context.Context) (*dynamodb.Client, error) {
	cfg, err := a.config(ctx)
	if err != nil {
		return nil, err
	}
	return dynamo.ToolClient(cfg), nil
}

// config returns the configuration that AWS's own tools would use, with credentials from the
// environment, a profile, a single sign-on session, a role or an instance. Expired credentials are
// renewed.
func (a account) config(ctx context.Context) (aws.Config, error) {
	options := []func(*config.LoadOptions) error{
		config.WithAssumeRoleCredentialOptions(func(o *stscreds.AssumeRoleOptions) {
			o.TokenProvider = stscreds.StdinTokenProvider
		}),
	}
	if a.Region != "" {
		options = append(options, config.WithRegion(a.Region))
	}
	if a.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(a.Profile))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if missing := (config.SharedConfigProfileNotExistError{}); errors.As(err, &missing) {
		return aws.Config{}, fmt.Errorf(
			"there is no profile %q in ~/.aws/config; run aws configure list-profiles to list the existing ones",
			missing.Profile,
		)
	}
	if err != nil {
		return aws.Config{}, err
	}
	p := signIn{next: cfg.Credentials}
	p.profile, p.sso = profileOf(cfg)
	if cfg.Region == "" {
		return aws.Config{}, fmt.Errorf(
			"no region is configured: give --region, set AWS_REGION, or add a region to profile %s", p.profile,
		)
	}
	cfg.Credentials = aws.NewCredentialsCache(p)
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return aws.Config{}, err
	}
	return cfg, nil
}

// profileOf returns the name of the profile that a configuration was read from. It also reports
// whether the profile uses single sign-on.
func profileOf(cfg aws.Config) (name string, sso bool) {
	for _, source := range cfg.ConfigSources {
		if shared, ok := source.(config.SharedConfig); ok && shared.Profile != "" {
			return shared.Profile, shared.SSOSessionName != "" || shared.SSOStartURL != ""
		}
	}
	return config.DefaultSharedConfigProfile, false
}

// signIn is a credential chain whose errors explain how to sign in. This includes sessions that
// expire while a command runs.
type signIn struct {
	next    aws.CredentialsProvider
	profile string
	sso     bool
}

// Retrieve returns the credentials of the chain.
func (s signIn) Retrieve(ctx context.Context) (aws.Credentials, error) {
	searching, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	found, err := s.next.Retrieve(searching)
	switch {
	case err == nil || ctx.Err() != nil:
		return found, err
	case s.sso:
		return found, fmt.Errorf(
			"the sign-on session of profile %s has expired or does not exist: run aws sso login --profile %s (%w)",
			s.profile, s.profile, err,
		)
	}
	return found, fmt.Errorf(
		"no AWS credentials: run aws sso login --profile NAME or aws configure and set AWS_PROFILE, or set "+
			"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (%w)",
		err,
	)
}

// expiredCodes are DynamoDB's error codes for credentials that are invalid or have expired.
var expiredCodes = map[string]bool{
	"ExpiredTokenException": true, "ExpiredToken": true, "UnrecognizedClientException": true,
	"InvalidSignatureException": true,
	"IncompleteSignature":       true, "InvalidClientTokenId": true, "MissingAuthenticationToken": true,
}

// find describes a deployed table. It is the first call, so that invalid credentials fail here.
func find(ctx context.Context, db *dynamodb.Client, table string) (*types.TableDescription, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err == nil {
		return out.Table, nil
	}
	var absent *types.ResourceNotFoundException
	var refusal smithy.APIError
	switch region := db.Options().Region; {
	case errors.As(err, &absent):
		return nil, fmt.Errorf(
			"there is no table %s in %s in this account; run aws dynamodb list-tables --region %s to list the "+
				"existing ones",
			table, region, region,
		)
	case errors.As(err, &refusal) && expiredCodes[refusal.ErrorCode()]:
		return nil, fmt.Errorf(
			"AWS refuses these credentials for table %s: they have expired or are incomplete; sign in again with aws "+
				"sso login --profile NAME (%w)",
			table, err,
		)
	case errors.As(err, &refusal) && refusal.ErrorCode() == "AccessDeniedException":
		return nil, fmt.Errorf(
			"these credentials may not describe table %s; run aws sts get-caller-identity to see whose they are (%w)",
			table, err,
		)
	}
	return nil, fmt.Errorf("describe table %s: %w", table, err)
}
