package config

// Version is the version of Parley. The command, the documents of the API and the stack's outputs
// state it. scripts/release makes a release only of the tag with this version.
const Version = "0.1.0"
