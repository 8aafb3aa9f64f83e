import{a,b,c,d,e,f}from"./chunk-S2OUJMXA.js";import"./chunk-674427RP.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
