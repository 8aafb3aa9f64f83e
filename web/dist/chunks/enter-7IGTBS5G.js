import{a,b,c,d,e,f}from"./chunk-TR5JWMHT.js";import"../app.js";export{a as arrive,e as renewed,d as signInAgain,b as signInAs,c as signInWith,f as signOut};
