import{_27a as r,_27b as m,_27c as u,_27d as s}from"./app.js";function _({route:a},o){(a.value.room!==o||a.value.message)&&a.go(o),setTimeout(s)}export{_ as a};
