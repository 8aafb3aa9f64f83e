module example.com/parley/tools/openapigo

go 1.26.0

require gopkg.in/validator.v2 v2.0.1
