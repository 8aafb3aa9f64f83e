import{a,b,c,d,e,f}from"./chunk-LMLHPPW7.js";import"./chunk-KZBNNY6C.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
