import{a as s,b as o,c as e,d as r,e as p,f as t,g as d,h as b}from"./shared-emoji-names.js";export{o as all,r as byCode,p as byWords,s as groups,e as popular,d as tones,t as withCode,b as withTone};
