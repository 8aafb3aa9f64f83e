package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"parley/internal/dynamo"
)

// signInTime bounds how long the credential chain may search: a role that is assumed by another one
// takes two calls, and on a laptop the chain waits for an instance's metadata in vain.
const signInTime = 20 * time.Second

// account says with which credentials a deployed table is reached.
type account struct {
	Region  string `help:"The table's region. By default $$AWS_REGION, or that of the profile."`
	Profile string `help:"The profile of ~/.aws/config to use. By default $$AWS_PROFILE, or the environment's credentials."`
}

// client makes a client of DynamoDB as AWS's own tools do: from the environment, a profile, a
// single sign-on session, a role or an instance, renewed when they expire.
func (a account) client(ctx context.Context) (*dynamodb.Client, error) {
	options := []func(*config.LoadOptions) error{
		config.WithAssumeRoleCredentialOptions(func(o *stscreds.AssumeRoleOptions) { o.TokenProvider = stscreds.StdinTokenProvider }),
	}
	if a.Region != "" {
		options = append(options, config.WithRegion(a.Region))
	}
	if a.Profile != "" {
		options = append(options, config.WithSharedConfigProfile(a.Profile))
	}
	cfg, err := config.LoadDefaultConfig(ctx, options...)
	if missing := (config.SharedConfigProfileNotExistError{}); errors.As(err, &missing) {
		return nil, fmt.Errorf("there is no profile %q in ~/.aws/config; aws configure list-profiles lists those that there are", missing.Profile)
	}
	if err != nil {
		return nil, err
	}
	p := signIn{next: cfg.Credentials}
	p.profile, p.sso = profileOf(cfg)
	if cfg.Region == "" {
		return nil, fmt.Errorf("no region is configured: give --region, set AWS_REGION, or add a region to profile %s", p.profile)
	}
	cfg.Credentials = aws.NewCredentialsCache(p)
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, err
	}
	return dynamo.ToolClient(cfg), nil
}

// profileOf returns the name of the profile that a configuration was read from, and whether one
// signs in to it by single sign-on.
func profileOf(cfg aws.Config) (name string, sso bool) {
	for _, source := range cfg.ConfigSources {
		if shared, ok := source.(config.SharedConfig); ok && shared.Profile != "" {
			return shared.Profile, shared.SSOSessionName != "" || shared.SSOStartURL != ""
		}
	}
	return config.DefaultSharedConfigProfile, false
}

// signIn is a credential chain whose failure says what to do, also when a session ends while a
// command runs.
type signIn struct {
	next    aws.CredentialsProvider
	profile string
	sso     bool
}

// Retrieve asks the chain.
func (s signIn) Retrieve(ctx context.Context) (aws.Credentials, error) {
	searching, cancel := context.WithTimeout(ctx, signInTime)
	defer cancel()
	found, err := s.next.Retrieve(searching)
	switch {
	case err == nil || ctx.Err() != nil:
		return found, err
	case s.sso:
		return found, fmt.Errorf("the sign-on session of profile %s has expired or was never begun: run aws sso login --profile %s (%w)", s.profile, s.profile, err)
	}
	return found, fmt.Errorf("no AWS credentials: run aws sso login --profile NAME or aws configure and set AWS_PROFILE, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (%w)", err)
}

// expiredCodes are DynamoDB's answers to credentials that are no longer good, or never were.
var expiredCodes = map[string]bool{
	"ExpiredTokenException": true, "ExpiredToken": true, "UnrecognizedClientException": true, "InvalidSignatureException": true,
	"IncompleteSignature": true, "InvalidClientTokenId": true, "MissingAuthenticationToken": true,
}

// find describes a deployed table. It is the first call, so bad credentials fail here.
func find(ctx context.Context, db *dynamodb.Client, table string) (*types.TableDescription, error) {
	out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
	if err == nil {
		return out.Table, nil
	}
	var absent *types.ResourceNotFoundException
	var refusal smithy.APIError
	switch region := db.Options().Region; {
	case errors.As(err, &absent):
		return nil, fmt.Errorf("there is no table %s in %s in this account; aws dynamodb list-tables --region %s lists those that there are", table, region, region)
	case errors.As(err, &refusal) && expiredCodes[refusal.ErrorCode()]:
		return nil, fmt.Errorf("AWS refuses these credentials for table %s: they have expired or are not whole; sign in again, with aws sso login --profile NAME (%w)", table, err)
	case errors.As(err, &refusal) && refusal.ErrorCode() == "AccessDeniedException":
		return nil, fmt.Errorf("these credentials may not describe table %s; aws sts get-caller-identity tells whose they are (%w)", table, err)
	}
	return nil, fmt.Errorf("describe table %s: %w", table, err)
}
