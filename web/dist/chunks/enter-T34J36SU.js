import{a,b,c,d,e,f}from"./chunk-RBAHIFCO.js";import"./chunk-V4OAXBOA.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
