"""How often did each page change a week, and when is it visited then (Cho, Lee & Choi 2013)?"""
