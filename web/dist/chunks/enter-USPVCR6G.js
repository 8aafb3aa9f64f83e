import{a,b,c,d,e,f}from"./chunk-LD55YK25.js";import"../app.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
